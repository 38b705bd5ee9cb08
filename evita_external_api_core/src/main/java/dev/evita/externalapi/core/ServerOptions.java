// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.carpool.CarpoolMode;
import dev.evita.externalapi.core.limits.Description;
import dev.evita.externalapi.core.limits.Limits;
import dev.evita.externalapi.core.live.FeedOptions;
import dev.evita.externalapi.core.tls.TlsOptions;
import dev.evita.externalapi.core.web.CompressionOptions;
import dev.evita.externalapi.core.web.CorsOptions;
import dev.evita.http.AllowedHosts;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The options of a server. Immutable; each configuration key is a component's name in kebab-case.
 *
 * @param limits the limits of each request
 * @param feeds the options of change feeds
 */
public record ServerOptions(
    @Description("The address to listen on; 0.0.0.0 for all.") String host,
    @Description("The port to listen on; 0 picks a free one.") int port,
    TlsOptions tls,
    Limits limits,
    FeedOptions feeds,
    CorsOptions cors,
    CompressionOptions compression,
    @Description("I/O threads, which also run bounded plans; 0 for one per core.") int ioThreads,
    @Description("Worker threads, which run unbounded and blocking plans; 0 for eight per core.")
        int workerThreads,
    @Description("Requests that may queue for a worker thread; further ones get 503.")
        int workerQueue,
    @Description(
            "Whether concurrent requests share statements (reads by key, set-based handlers) and"
                + " commits (writes): auto (measured; commits on SQLite only), on or off. See"
                + " carpool.md.")
        CarpoolMode carpool,
    @Description("Longest wait for requests in progress at shutdown.") Duration drain,
    @Description("Interval at which the database is checked for schema changes.")
        Duration catalogRefresh,
    @Description(
            "Interval at which live queries and change feeds re-execute on a database that does not"
                + " publish commits (PostgreSQL).")
        Duration pollInterval,
    @Description(
            "Renamed relationships: table.relationship as the API names it, and its new" + " name.")
        Map<String, String> relationshipNames,
    @Description(
            value =
                "How long the response to an Idempotency-Key is stored, in a table of the database; 0s"
                    + " rejects such keys.",
            formerly = "rest-idempotency-retention")
        Duration idempotencyRetention,
    @Description(
            "Host names that requests may use, without port: db.example.com, *.example.com for"
                + " subdomains, * for all. Default: all, or only loopback names if the address"
                + " to listen on is a loopback address.")
        List<String> allowedHosts,
    @Description(
            "A separate port for /system/*, which responds even when the main port is overloaded"
                + " or the server shuts down; 0 picks a free one. Default: none.")
        @Nullable Integer managementPort,
    @Description("The address of management-port; 0.0.0.0 for all.") String managementHost) {

  /** Loopback, a free port, safe limits. */
  public static final ServerOptions DEFAULT = builder().build();

  public ServerOptions {
    relationshipNames = Map.copyOf(relationshipNames);
    requirePort("port", port);
    Limits.requireAtLeast("io-threads", ioThreads, 0);
    Limits.requireAtLeast("worker-threads", workerThreads, 0);
    Limits.requireAtLeast("worker-queue", workerQueue, 1);
    Limits.requirePositive("catalog-refresh", catalogRefresh);
    Limits.requirePositive("poll-interval", pollInterval);
    Limits.requireNotNegative("idempotency-retention", idempotencyRetention);
    if (drain.isNegative() || drain.compareTo(Duration.ofMinutes(10)) > 0) {
      throw new EvitaException(
          ErrorCode.INVALID_CONFIGURATION, "drain is " + drain + "; expected 0s to 10m");
    }
    allowedHosts = List.copyOf(allowedHosts);
    allowedHosts.forEach(ServerOptions::requireHost);
    if (managementPort != null) {
      requirePort("management-port", managementPort);
      if (managementPort == port && port != 0 && managementHost.equals(host)) {
        throw new EvitaException(
            ErrorCode.INVALID_CONFIGURATION,
            "management-port is " + port + ", as port is; expected another port");
      }
    }
  }

  private static void requireHost(String entry) {
    if (!AllowedHosts.isValid(entry)) {
      throw new EvitaException(
          ErrorCode.INVALID_CONFIGURATION,
          "allowed-hosts contains '"
              + entry
              + "'; expected a name without scheme and port such as db.example.com,"
              + " *.example.com or [::1], or * for all");
    }
  }

  private static void requirePort(String key, int port) {
    if (port < 0 || port > 65535) {
      throw new EvitaException(
          ErrorCode.INVALID_CONFIGURATION,
          key + " is " + port + "; expected a number from 0 (any free port) to 65535");
    }
  }

  /** Starts from {@link #DEFAULT}. */
  public static Builder builder() {
    return new Builder();
  }

  /** Starts from these values. */
  public Builder toBuilder() {
    return new Builder(this);
  }

  /** Sets each component by its name. Not thread-safe. */
  public static final class Builder {
    private String host = "127.0.0.1";
    private int port = 0;
    private TlsOptions tls = TlsOptions.NONE;
    private Limits limits = Limits.DEFAULT;
    private FeedOptions feeds = FeedOptions.DEFAULT;
    private CorsOptions cors = CorsOptions.NONE;
    private CompressionOptions compression = CompressionOptions.NONE;
    private int ioThreads = 0;
    private int workerThreads = 0;
    private int workerQueue = 1_000;
    private CarpoolMode carpool = CarpoolMode.AUTO;
    private Duration drain = Duration.ofSeconds(10);
    private Duration catalogRefresh = Duration.ofMillis(250);
    private Duration pollInterval = Duration.ofSeconds(1);
    private Map<String, String> relationshipNames = Map.of();
    private Duration idempotencyRetention = Duration.ofHours(24);
    private List<String> allowedHosts = List.of();
    private @Nullable Integer managementPort;
    private String managementHost = "127.0.0.1";

    private Builder() {}

    private Builder(ServerOptions from) {
      host = from.host;
      port = from.port;
      tls = from.tls;
      limits = from.limits;
      feeds = from.feeds;
      cors = from.cors;
      compression = from.compression;
      ioThreads = from.ioThreads;
      workerThreads = from.workerThreads;
      workerQueue = from.workerQueue;
      carpool = from.carpool;
      drain = from.drain;
      catalogRefresh = from.catalogRefresh;
      pollInterval = from.pollInterval;
      relationshipNames = from.relationshipNames;
      idempotencyRetention = from.idempotencyRetention;
      allowedHosts = from.allowedHosts;
      managementPort = from.managementPort;
      managementHost = from.managementHost;
    }

    public Builder host(String value) {
      host = value;
      return this;
    }

    public Builder port(int value) {
      port = value;
      return this;
    }

    public Builder tls(TlsOptions value) {
      tls = value;
      return this;
    }

    public Builder limits(Limits value) {
      limits = value;
      return this;
    }

    public Builder feeds(FeedOptions value) {
      feeds = value;
      return this;
    }

    public Builder cors(CorsOptions value) {
      cors = value;
      return this;
    }

    public Builder compression(CompressionOptions value) {
      compression = value;
      return this;
    }

    public Builder ioThreads(int value) {
      ioThreads = value;
      return this;
    }

    public Builder workerThreads(int value) {
      workerThreads = value;
      return this;
    }

    public Builder workerQueue(int value) {
      workerQueue = value;
      return this;
    }

    public Builder carpool(CarpoolMode value) {
      carpool = value;
      return this;
    }

    public Builder drain(Duration value) {
      drain = value;
      return this;
    }

    public Builder catalogRefresh(Duration value) {
      catalogRefresh = value;
      return this;
    }

    public Builder pollInterval(Duration value) {
      pollInterval = value;
      return this;
    }

    public Builder relationshipNames(Map<String, String> value) {
      relationshipNames = value;
      return this;
    }

    public Builder idempotencyRetention(Duration value) {
      idempotencyRetention = value;
      return this;
    }

    public Builder allowedHosts(List<String> value) {
      allowedHosts = value;
      return this;
    }

    public Builder managementPort(@Nullable Integer value) {
      managementPort = value;
      return this;
    }

    public Builder managementHost(String value) {
      managementHost = value;
      return this;
    }

    /**
     * Builds the {@link ServerOptions}.
     *
     * @throws EvitaException {@code INVALID_CONFIGURATION} if a value is out of its range; the
     *     message names the key
     */
    public ServerOptions build() {
      return new ServerOptions(
          host,
          port,
          tls,
          limits,
          feeds,
          cors,
          compression,
          ioThreads,
          workerThreads,
          workerQueue,
          carpool,
          drain,
          catalogRefresh,
          pollInterval,
          relationshipNames,
          idempotencyRetention,
          allowedHosts,
          managementPort,
          managementHost);
    }
  }
}
