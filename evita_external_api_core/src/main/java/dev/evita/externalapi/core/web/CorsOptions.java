// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.web;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.limits.Description;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The origins whose pages may use the server from a browser, beyond the server's own. Each
 * configuration key is a component's name in kebab-case.
 */
public record CorsOptions(
    @Description(
            "Origins whose pages may read responses and open WebSockets, such as"
                + " https://app.example; * for all. Default: only the server's own.")
        List<String> corsOrigins,
    @Description("Whether those pages may send cookies and other credentials; not with *.")
        boolean corsCredentials,
    @Description("How long a browser may cache the response to a preflight.") Duration corsMaxAge) {

  /** Matches all origins. */
  static final String ANY = "*";

  private static final Pattern ORIGIN =
      Pattern.compile("[a-z][a-z0-9+.-]*://(?:[a-z0-9._-]+|\\[[0-9a-f:.]+])(?::[0-9]{1,5})?");

  /** No page but the server's own. */
  public static final CorsOptions NONE = builder().build();

  public CorsOptions {
    corsOrigins = List.copyOf(corsOrigins);
    for (var origin : corsOrigins) {
      if (!origin.equals(ANY) && !ORIGIN.matcher(origin).matches()) {
        throw invalid(
            "cors-origins contains '"
                + origin
                + "'; expected * or scheme, host and port as browsers send them, in lower case and"
                + " without a trailing slash, such as https://app.example");
      }
    }
    if (corsOrigins.contains(ANY) && corsOrigins.size() > 1) {
      throw invalid("cors-origins contains * and others; expected * alone, or only the others");
    }
    if (corsCredentials && (corsOrigins.isEmpty() || corsOrigins.contains(ANY))) {
      throw invalid(
          "cors-credentials is true, but cors-origins is *; list the origins by name, as not every"
              + " page may act for its user");
    }
    if (corsMaxAge.isNegative()) {
      throw invalid("cors-max-age is " + corsMaxAge + "; expected 0s or more");
    }
  }

  private static EvitaException invalid(String message) {
    return new EvitaException(ErrorCode.INVALID_CONFIGURATION, message);
  }

  /** Starts from {@link #NONE}. */
  public static Builder builder() {
    return new Builder();
  }

  /** Starts from these values. */
  public Builder toBuilder() {
    return new Builder(this);
  }

  /** Sets each component by its name. Not thread-safe. */
  public static final class Builder {
    private List<String> corsOrigins = List.of();
    private boolean corsCredentials = false;
    private Duration corsMaxAge = Duration.ofMinutes(10);

    private Builder() {}

    private Builder(CorsOptions from) {
      corsOrigins = from.corsOrigins;
      corsCredentials = from.corsCredentials;
      corsMaxAge = from.corsMaxAge;
    }

    public Builder corsOrigins(List<String> value) {
      corsOrigins = value;
      return this;
    }

    public Builder corsCredentials(boolean value) {
      corsCredentials = value;
      return this;
    }

    public Builder corsMaxAge(Duration value) {
      corsMaxAge = value;
      return this;
    }

    /**
     * Builds the {@link CorsOptions}.
     *
     * @throws EvitaException {@code INVALID_CONFIGURATION} if a value is out of its range; the
     *     message names the key
     */
    public CorsOptions build() {
      return new CorsOptions(corsOrigins, corsCredentials, corsMaxAge);
    }
  }
}
