// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.tls;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.externalapi.core.LogRecords;
import dev.evita.externalapi.core.TestCertificate;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Certificate files that change, polled by hand. */
@Timeout(60)
final class CertificateReloaderIT {

  private static final Instant START = Instant.parse("2026-06-01T00:00:00Z");

  @TempDir private Path folder;

  private final LogRecords log = new LogRecords();
  private final TestClock clock = new TestClock();

  /** A clock that is advanced by hand. */
  private static final class TestClock extends Clock {

    private volatile Instant now = START;

    void advance(Duration by) {
      now = now.plus(by);
    }

    @Override
    public Instant instant() {
      return now;
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }
  }

  @AfterEach
  void stopLogging() {
    log.close();
  }

  private static TestCertificate certificate(String name, int days) {
    return TestCertificate.valid(
        name, START.minus(Duration.ofDays(1)), START.plus(Duration.ofDays(days)));
  }

  private List<String> logged() {
    return log.messages().stream().filter(message -> message.contains("TLS cert")).toList();
  }

  private static void pollTwice(CertificateReloader reloader) {
    reloader.poll();
    reloader.poll();
  }

  @Test
  void poll_sameFiles_keepsTheContext() throws Exception {
    var options = certificate("CN=a", 90).writeTo(folder);
    try (var reloader = new CertificateReloader(options, clock)) {
      var before = reloader.context();
      certificateRewritten(options);
      pollTwice(reloader);
      assertThat(reloader.context()).isSameAs(before);
      assertThat(logged()).isEmpty();
    }
  }

  private static void certificateRewritten(TlsOptions options) throws Exception {
    var file = java.util.Objects.requireNonNull(options.tlsCertificate());
    Files.write(file, Files.readAllBytes(file));
  }

  @Test
  void poll_newPair_isLoadedOnceStable() throws Exception {
    var options = certificate("CN=a", 90).writeTo(folder);
    try (var reloader = new CertificateReloader(options, clock)) {
      var before = reloader.context();
      certificate("CN=b", 90).writeTo(folder);
      reloader.poll();
      assertThat(reloader.context()).as("may be half-written").isSameAs(before);
      reloader.poll();
      assertThat(reloader.context()).isNotSameAs(before);
      assertThat(logged())
          .containsExactly("INFO TLS certificate reloaded: CN=b, valid until 2026-08-30T00:00:00Z");
    }
  }

  @Test
  void poll_keystoreReplaced_isLoaded() throws Exception {
    var first = certificate("CN=a", 90);
    var file = folder.resolve("key.p12");
    try (var reloader = new CertificateReloader(first.writeStore(file, first), clock)) {
      var before = reloader.context();
      var second = certificate("CN=b", 90);
      var written = folder.resolve("new.p12");
      second.writeStore(written, second);
      Files.move(written, file, StandardCopyOption.ATOMIC_MOVE);
      pollTwice(reloader);
      assertThat(reloader.context()).isNotSameAs(before);
    }
  }

  @Test
  void poll_incompletePair_isLoggedOnceAndLoadedOnceComplete() throws Exception {
    var options = certificate("CN=a", 90).writeTo(folder);
    var next = certificate("CN=b", 90);
    try (var reloader = new CertificateReloader(options, clock)) {
      var before = reloader.context();
      TestCertificate.writeChain(folder.resolve("cert.pem"), next);
      for (int i = 0; i < 5; i++) {
        reloader.poll();
      }
      assertThat(reloader.context()).isSameAs(before);
      assertThat(logged())
          .singleElement()
          .asString()
          .startsWith(
              "WARNING TLS certificate not reloaded; still using the one that expires on"
                  + " 2026-08-30T00:00:00Z: tls-key is '")
          .contains("does not match the certificate of CN=b");
      next.writeKey(folder.resolve("key.pem"));
      pollTwice(reloader);
      assertThat(reloader.context()).isNotSameAs(before);
      assertThat(logged()).hasSize(2);
    }
  }

  @Test
  void poll_missingOrInvalidFile_isLoggedOnce() throws Exception {
    var options = certificate("CN=a", 90).writeTo(folder);
    try (var reloader = new CertificateReloader(options, clock)) {
      var before = reloader.context();
      var key = folder.resolve("key.pem");
      Files.delete(key);
      reloader.poll();
      assertThat(logged()).as("may be about to be replaced").isEmpty();
      pollTwice(reloader);
      pollTwice(reloader);
      assertThat(logged())
          .singleElement()
          .asString()
          .contains("key.pem'; expected a readable file");
      Files.writeString(key, "nothing");
      pollTwice(reloader);
      pollTwice(reloader);
      assertThat(logged()).hasSize(2).last().asString().contains("with a private key");
      assertThat(reloader.context()).isSameAs(before);
      certificate("CN=b", 90).writeTo(folder);
      pollTwice(reloader);
      assertThat(reloader.context()).isNotSameAs(before);
    }
  }

  @Test
  void poll_expiredCertificate_isNotLoaded() throws Exception {
    var options = certificate("CN=a", 90).writeTo(folder);
    try (var reloader = new CertificateReloader(options, clock)) {
      var before = reloader.context();
      certificate("CN=b", -1).writeTo(folder);
      pollTwice(reloader);
      assertThat(reloader.context()).isSameAs(before);
      assertThat(logged()).singleElement().asString().contains("CN=b expired on");
    }
  }

  @Test
  void poll_notYetValidCertificate_isLoadedOnceValid() throws Exception {
    var options = certificate("CN=a", 90).writeTo(folder);
    var from = START.plus(Duration.ofHours(1));
    try (var reloader = new CertificateReloader(options, clock)) {
      var before = reloader.context();
      TestCertificate.valid("CN=b", from, from.plus(Duration.ofDays(90))).writeTo(folder);
      pollTwice(reloader);
      assertThat(reloader.context()).isSameAs(before);
      clock.advance(Duration.ofHours(2));
      pollTwice(reloader);
      assertThat(reloader.context()).isNotSameAs(before);
      assertThat(logged()).hasSize(2);
    }
  }

  @Test
  void expiry_near_logsWarningEachDay() throws Exception {
    var options = certificate("CN=a", 40).writeTo(folder);
    try (var reloader = new CertificateReloader(options, clock)) {
      reloader.poll();
      assertThat(logged()).isEmpty();
      clock.advance(Duration.ofDays(10).plusHours(1));
      reloader.poll();
      assertThat(logged()).singleElement().asString().contains("(29 days left)");
      clock.advance(Duration.ofHours(23));
      reloader.poll();
      assertThat(logged()).hasSize(1);
      clock.advance(Duration.ofHours(1));
      reloader.poll();
      assertThat(logged()).hasSize(2).last().asString().contains("(28 days left)");
      clock.advance(Duration.ofDays(30));
      reloader.poll();
      assertThat(logged()).last().asString().contains(" expired on 2026-07-11T00:00:00Z (0 days");
    }
  }

  @Test
  void expiry_afterReload_isThatOfTheNewCertificate() throws Exception {
    var options = certificate("CN=a", 20).writeTo(folder);
    try (var reloader = new CertificateReloader(options, clock)) {
      assertThat(logged()).hasSize(1);
      certificate("CN=b", 10).writeTo(folder);
      pollTwice(reloader);
      assertThat(logged()).last().asString().contains("CN=b in").contains("(10 days left)");
    }
  }
}
