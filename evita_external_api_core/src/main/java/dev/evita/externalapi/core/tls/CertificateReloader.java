// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.tls;

import dev.evita.api.EvitaException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The TLS context for new connections, built from the current certificate files.
 *
 * <pre>
 * poll: same bytes as loaded ------------------------------> nothing
 *       other bytes, seen for the first time --------------> wait for the next poll
 *       other bytes, the same at two polls --load, check---> new context
 *                                              '--refused--> old context, logged once; load again
 * </pre>
 *
 * <p>Files are replaced one by one, and not always atomically: a file half-written at one poll
 * differs at the next, and {@link CertificateCheck} rejects a new certificate with an old key. Open
 * connections keep the context they began with.
 *
 * <p>Thread-safe. One thread polls, from {@link #start} to {@link #close}.
 */
public final class CertificateReloader implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(CertificateReloader.class);

  private static final Duration POLL_INTERVAL = Duration.ofSeconds(1);
  private static final Duration WARNING_PERIOD = Duration.ofDays(30);
  private static final Duration WARNING_INTERVAL = Duration.ofDays(1);

  private final TlsOptions options;
  private final Clock clock;
  private final CertificateCheck check;
  private final ScheduledExecutorService poller =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("evita-certificates").factory());
  private volatile SSLContext context;
  private List<TlsKeyEntry> entries;
  private TlsFiles loaded;
  private @Nullable TlsFiles candidate;
  private @Nullable String unreadable;
  private @Nullable String logged;
  private Instant nextWarning = Instant.MIN;

  /**
   * Loads and checks the certificate.
   *
   * @param clock supplies the time for validity checks
   * @throws EvitaException {@code INVALID_CONFIGURATION}
   */
  public CertificateReloader(TlsOptions options, Clock clock) {
    this.options = options;
    this.clock = clock;
    this.check = new CertificateCheck(clock);
    this.loaded = TlsFiles.read(options);
    this.entries = checked(loaded);
    this.context = Tls.context(entries);
    warnOfExpiry();
  }

  /** Starts polling the files. */
  public void start() {
    var interval = POLL_INTERVAL.toMillis();
    var unused =
        poller.scheduleWithFixedDelay(this::pollSafely, interval, interval, TimeUnit.MILLISECONDS);
  }

  /** The context for new connections. */
  public SSLContext context() {
    return context;
  }

  private List<TlsKeyEntry> checked(TlsFiles files) {
    var read = Tls.entries(options, files);
    read.forEach(check::require);
    return read;
  }

  private void pollSafely() {
    try {
      poll();
    } catch (RuntimeException e) {
      LOG.error("Failed to poll the TLS certificate; trying again", e);
    }
  }

  /** Polls the files once. */
  synchronized void poll() {
    try {
      look(TlsFiles.read(options));
      unreadable = null;
    } catch (EvitaException e) {
      // A file may be absent for a moment while it is replaced.
      if (e.publicMessage().equals(unreadable)) {
        logOnce(e);
      }
      unreadable = e.publicMessage();
    }
    warnOfExpiry();
  }

  private void look(TlsFiles files) {
    if (files.equals(loaded)) {
      candidate = null;
      logged = null;
    } else if (files.equals(candidate)) {
      reload(files);
    } else {
      candidate = files;
    }
  }

  private void reload(TlsFiles files) {
    try {
      var read = checked(files);
      context = Tls.context(read);
      entries = read;
      loaded = files;
      candidate = null;
      logged = null;
      nextWarning = Instant.MIN;
      var leaf = read.getFirst().leaf();
      LOG.info(
          "TLS certificate reloaded: {}, valid until {}",
          TlsKeyEntry.name(leaf),
          CertificateCheck.expiry(leaf));
    } catch (EvitaException e) {
      logOnce(e);
    }
  }

  private void logOnce(EvitaException failure) {
    var message = failure.publicMessage();
    if (!message.equals(logged)) {
      logged = message;
      LOG.warn(
          "TLS certificate not reloaded; still using the one that expires on {}: {}",
          CertificateCheck.expiry(entries.getFirst().leaf()),
          message);
    }
  }

  private void warnOfExpiry() {
    var now = clock.instant();
    if (now.isBefore(nextWarning)) {
      return;
    }
    for (var entry : entries) {
      var expiry = CertificateCheck.expiry(entry.leaf());
      var left = Duration.between(now, expiry);
      if (left.compareTo(WARNING_PERIOD) < 0) {
        nextWarning = now.plus(WARNING_INTERVAL);
        LOG.warn(
            "TLS certificate of {} in {} {} on {} ({} days left); renew it",
            TlsKeyEntry.name(entry.leaf()),
            entry.chainSource(),
            left.isNegative() ? "expired" : "expires",
            expiry,
            Math.max(0, left.toDays()));
      }
    }
  }

  @Override
  public void close() {
    poller.shutdownNow();
  }
}
