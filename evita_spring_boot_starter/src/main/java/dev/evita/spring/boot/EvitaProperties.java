// SPDX-License-Identifier: Apache-2.0
package dev.evita.spring.boot;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.server.EmbeddedConfiguration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.StandardEnvironment;

/**
 * Reads the properties {@code evita.*}: all keys of Evita's configuration but those that open a
 * database, in every notation that Spring Boot binds. An unknown property is refused.
 */
final class EvitaProperties {

  static final String PREFIX = "evita";

  /** The only property that is not a key of Evita. */
  static final String ENABLED = "enabled";

  private static final String VARIABLE = "EVITA_";

  /** Variables of the launcher, and those that Kubernetes sets for a Service named evita. */
  private static final Pattern OTHER_VARIABLE =
      Pattern.compile(
          "EVITA_(JAVA_OPTS|SERVICE_HOST|SERVICE_PORT(_.+)?|PORT_[0-9]+_(TCP|UDP)(_PROTO|_PORT|_ADDR)?)");

  private final ConfigurableEnvironment environment;
  private final Binder binder;
  private final Map<String, EmbeddedConfiguration.Value> values = new LinkedHashMap<>();

  private EvitaProperties(ConfigurableEnvironment environment) {
    this.environment = environment;
    this.binder = Binder.get(environment);
  }

  /**
   * Returns the configuration of these properties.
   *
   * @throws EvitaException {@code INVALID_CONFIGURATION} for an unknown property or an invalid
   *     value
   */
  static EmbeddedConfiguration read(ConfigurableEnvironment environment) {
    var properties = new EvitaProperties(environment);
    var keys = EmbeddedConfiguration.keys();
    properties.requireKnown(
        keys.stream()
            .map(EmbeddedConfiguration.Key::name)
            .collect(Collectors.toCollection(LinkedHashSet::new)));
    keys.forEach(properties::read);
    return EmbeddedConfiguration.of(properties.values);
  }

  private void read(EmbeddedConfiguration.Key key) {
    var name = ConfigurationPropertyName.of(PREFIX + "." + key.name());
    var value = value(key, name);
    if (value != null && !isOfKubernetes(key, value)) {
      values.put(key.name(), new EmbeddedConfiguration.Value(source(name), value));
    }
  }

  private @Nullable Object value(EmbeddedConfiguration.Key key, ConfigurationPropertyName name) {
    return switch (key.form()) {
      case TEXT -> binder.bind(name, Bindable.of(String.class)).orElse(null);
      case LIST -> binder.bind(name, Bindable.listOf(String.class)).orElse(null);
      case MAP -> {
        var text = environment.getProperty(name.toString());
        yield text == null
            ? binder.bind(name, Bindable.mapOf(String.class, String.class)).orElse(null)
            : text;
      }
    };
  }

  /** Kubernetes sets EVITA_PORT to such a value for a Service named evita. */
  private static boolean isOfKubernetes(EmbeddedConfiguration.Key key, Object value) {
    return key.name().equals("port") && value.toString().matches("(tcp|udp)://.*");
  }

  /** The property, and its place where Spring Boot has recorded that. */
  private String source(ConfigurationPropertyName name) {
    for (var source : ConfigurationPropertySources.get(environment)) {
      var property = source.getConfigurationProperty(name);
      if (property != null) {
        return name + (property.getOrigin() == null ? "" : " in " + property.getOrigin());
      }
    }
    return name.toString();
  }

  private void requireKnown(Set<String> names) {
    var known = new LinkedHashSet<>(names);
    known.add(ENABLED);
    var uniform = known.stream().map(EvitaProperties::uniform).collect(Collectors.toSet());
    for (var source : environment.getPropertySources()) {
      if (source instanceof EnumerablePropertySource<?> enumerable) {
        var variables =
            source.getName().endsWith(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME);
        for (var property : new TreeSet<>(Set.of(enumerable.getPropertyNames()))) {
          var key = variables ? keyOfVariable(property) : keyOfProperty(property);
          if (key != null && !uniform.contains(uniform(key))) {
            throw new EvitaException(
                ErrorCode.INVALID_CONFIGURATION,
                "Unknown property '"
                    + property
                    + "' in "
                    + source.getName()
                    + EmbeddedConfiguration.hint(key, known));
          }
        }
      }
    }
  }

  /**
   * The key's name in a variable such as EVITA_MAX_DEPTH or EVITA_SCHEMAS_0; null for a variable of
   * others.
   */
  private static @Nullable String keyOfVariable(String variable) {
    if (!variable.startsWith(VARIABLE) || OTHER_VARIABLE.matcher(variable).matches()) {
      return null;
    }
    return variable
        .substring(VARIABLE.length())
        .replaceFirst("(_[0-9]+_?)+$", "")
        .replace('_', '-')
        .toLowerCase(Locale.ROOT);
  }

  /**
   * The key's name in a property such as evita.maxDepth or evita.schemas[0]; null for a property of
   * others.
   */
  private static @Nullable String keyOfProperty(String property) {
    return property.startsWith(PREFIX + ".")
        ? property.substring(PREFIX.length() + 1).split("[.\\[]", 2)[0]
        : null;
  }

  /** As Spring Boot compares names: without case, dashes and underscores. */
  private static String uniform(String name) {
    return name.replaceAll("[-_]", "").toLowerCase(Locale.ROOT);
  }
}
