// SPDX-License-Identifier: Apache-2.0
package dev.evita.server;

import dev.evita.api.Engine;
import dev.evita.api.EvitaException;
import dev.evita.engine.jdbc.JdbcEngine;
import dev.evita.externalapi.core.ExternalApiServer;
import dev.evita.externalapi.core.exchange.ApiProvider;
import dev.evita.externalapi.graphql.GraphQlProvider;
import dev.evita.externalapi.grpc.GrpcProvider;
import dev.evita.externalapi.rest.RestProvider;
import dev.evita.externalapi.sql.SqlProvider;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.sql.DataSource;

/**
 * The configuration of a server over a data source of the embedding application: the keys, defaults
 * and checks of the command line, for frameworks that bring their own sources of configuration.
 *
 * <p>Immutable. The keys that describe how a database is opened, such as {@code db}, are not part
 * of it.
 */
public final class EmbeddedConfiguration {

  /** Keys about a database that the server opens itself. */
  private static final Set<String> OPENING =
      Set.of(
          "db",
          "user",
          "password",
          "init",
          "pool-size",
          "connect-timeout",
          "statement-cache-size",
          "wait-for-database");

  private static final ConfigurationKeys KEYS = new ConfigurationKeys(Configuration.DEFAULT);

  /** The form in which the values of a key are written. */
  public enum Form {
    /** A single value. */
    TEXT,
    /** A list, or a text such as {@code a,b}. */
    LIST,
    /** A map, or a text such as {@code a=b,c=d}. */
    MAP
  }

  /**
   * A configuration key.
   *
   * @param name in kebab-case, for example {@code max-depth}
   * @param description one or two sentences
   * @param kind the kind of value, for example {@code number}, {@code size} or {@code duration}
   * @param form single value, list or map
   * @param defaultText the default as users write it; {@code none} for none
   */
  public record Key(String name, String description, String kind, Form form, String defaultText) {}

  /**
   * A value as it is configured.
   *
   * @param source the place of the value, for messages
   * @param value a {@link String}, a {@link List} or a {@link Map} of strings
   */
  public record Value(String source, Object value) {

    @SuppressWarnings("unchecked") // of strings, by the contract
    private Setting setting() {
      return switch (value) {
        case List<?> items -> new Setting(source, new Setting.Items((List<String>) items));
        case Map<?, ?> pairs -> new Setting(source, new Setting.Pairs((Map<String, String>) pairs));
        default -> Setting.of(source, value.toString());
      };
    }
  }

  private final Configuration configuration;

  private EmbeddedConfiguration(Configuration configuration) {
    this.configuration = configuration;
  }

  /** Returns the keys in the order of the documentation. */
  public static List<Key> keys() {
    return KEYS.all().stream()
        .filter(key -> !OPENING.contains(key.name()))
        .map(EmbeddedConfiguration::key)
        .toList();
  }

  private static Key key(ConfigurationKey key) {
    var form =
        key.kind().equals(ValueKind.LIST)
            ? Form.LIST
            : key.kind().equals(ValueKind.MAP) ? Form.MAP : Form.TEXT;
    return new Key(key.name(), key.description(), key.kind().label(), form, key.standardText());
  }

  /** Returns the name most similar to a mistyped one, as a hint for a message; empty for none. */
  public static String hint(String name, Collection<String> names) {
    return SpellingSuggestion.to(name, names)
        .map(near -> "; did you mean " + near + "?")
        .orElse("");
  }

  /**
   * Returns the configuration with these values in place of the defaults.
   *
   * @param values by the names of {@link #keys()}
   * @throws EvitaException {@code INVALID_CONFIGURATION}, with key, value and source
   */
  public static EmbeddedConfiguration of(Map<String, Value> values) {
    var settings = new LinkedHashMap<String, Setting>();
    values.forEach((name, value) -> settings.put(name, value.setting()));
    return new EmbeddedConfiguration(KEYS.configuration(settings));
  }

  /**
   * Opens an engine over a data source, which stays the caller's to close, after the engine.
   *
   * @throws EvitaException as {@link JdbcEngine#over(DataSource)}
   */
  public JdbcEngine open(DataSource source) {
    return JdbcEngine.over(source, configuration.database().jdbcOptions(false));
  }

  /**
   * Starts a server over an engine, which stays the caller's to close, after the server.
   *
   * @param providers APIs beside GraphQL, REST, gRPC and handlers, or in their place by the same
   *     name
   * @throws EvitaException as {@link ExternalApiServer.Builder#start()}
   */
  public ExternalApiServer start(Engine engine, List<? extends ApiProvider> providers) {
    var builder =
        ExternalApiServer.over(engine)
            .options(configuration.server())
            .provider(new GraphQlProvider(configuration.graphQl()))
            .provider(new RestProvider(configuration.rest()))
            .provider(new GrpcProvider(configuration.grpc()))
            .provider(new SqlProvider(configuration.sql()));
    providers.forEach(builder::provider);
    return builder.start();
  }
}
