// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.sql;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.limits.Description;
import dev.evita.externalapi.core.limits.Limits;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of HTTP handlers in SQL. Immutable; each configuration key is a component's
 * name in kebab-case.
 */
public record SqlOptions(
    @Description("Directory of HTTP handlers in SQL, one in each *.sql file.")
        @Nullable Path handlers,
    @Description(
            "Whether the table evita_http_handler (name, text) has handlers as well; it is created if"
                + " absent. Whoever writes to it can run any SQL.")
        boolean handlersTable,
    @Description("How often handlers and templates are checked for changes.")
        Duration handlersReload,
    @Description("Directory of static files, served at / where no handler responds.")
        @Nullable Path staticFiles,
    @Description("Directory of templates for handlers, in Mustache.") @Nullable Path templates,
    @Description(
            "Servers to which handlers may pass requests on, by name; for example"
                + " search=http://127.0.0.1:9200.")
        Map<String, String> upstreams) {

  /** The default configuration: no handlers. */
  public static final SqlOptions DEFAULT = builder().build();

  public SqlOptions {
    upstreams = Map.copyOf(upstreams);
    Limits.requirePositive("handlers-reload", handlersReload);
    upstreams.forEach(SqlOptions::requireUpstream);
  }

  private static void requireUpstream(String name, String url) {
    try {
      var uri = URI.create(url);
      var scheme = uri.getScheme();
      if (("http".equals(scheme) || "https".equals(scheme)) && uri.getHost() != null) {
        return;
      }
    } catch (IllegalArgumentException e) {
      // refused below
    }
    throw new EvitaException(
        ErrorCode.INVALID_CONFIGURATION,
        "upstreams is '%s=%s'; expected a URL such as http://127.0.0.1:9200".formatted(name, url));
  }

  /** Returns a builder that starts from {@link #DEFAULT}. */
  public static Builder builder() {
    return new Builder();
  }

  /** Returns a builder that starts from these values. */
  public Builder toBuilder() {
    return new Builder(this);
  }

  /** Sets each component by its name. Not thread-safe. */
  public static final class Builder {
    private @Nullable Path handlers;
    private boolean handlersTable = false;
    private Duration handlersReload = Duration.ofSeconds(1);
    private @Nullable Path staticFiles;
    private @Nullable Path templates;
    private Map<String, String> upstreams = Map.of();

    private Builder() {}

    private Builder(SqlOptions from) {
      handlers = from.handlers;
      handlersTable = from.handlersTable;
      handlersReload = from.handlersReload;
      staticFiles = from.staticFiles;
      templates = from.templates;
      upstreams = from.upstreams;
    }

    public Builder handlers(@Nullable Path value) {
      handlers = value;
      return this;
    }

    public Builder handlersTable(boolean value) {
      handlersTable = value;
      return this;
    }

    public Builder handlersReload(Duration value) {
      handlersReload = value;
      return this;
    }

    public Builder staticFiles(@Nullable Path value) {
      staticFiles = value;
      return this;
    }

    public Builder templates(@Nullable Path value) {
      templates = value;
      return this;
    }

    public Builder upstreams(Map<String, String> value) {
      upstreams = value;
      return this;
    }

    /**
     * Builds the {@link SqlOptions}.
     *
     * @throws EvitaException {@code INVALID_CONFIGURATION} if a value is out of its range; the
     *     message names the key
     */
    public SqlOptions build() {
      return new SqlOptions(
          handlers, handlersTable, handlersReload, staticFiles, templates, upstreams);
    }
  }
}
