// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.externalapi.core.tls.TlsOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Certificates that change while the server runs, and failing handshakes. */
@Timeout(60)
final class TlsReloadIT {

  private static final String ECHO =
      "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\nabc";

  @TempDir private Path folder;

  @Test
  void certificate_renamed_servesNewHandshakesAndKeepsConnections() throws Exception {
    var first = TestCertificate.selfSigned("CN=a");
    var second = TestCertificate.selfSigned("CN=b");
    var tls = first.writeTo(folder);
    try (var fixture = TestServer.start(options -> options.tls(tls));
        var open = handshake(fixture.port(), "http/1.1")) {
      assertServedBy(first, open);
      var written = Files.createDirectory(folder.resolve("new"));
      second.writeTo(written);
      Files.move(written.resolve("cert.pem"), folder.resolve("cert.pem"), REPLACED);
      Files.move(written.resolve("key.pem"), folder.resolve("key.pem"), REPLACED);
      awaitServedBy(second, fixture.port(), "http/1.1");
      awaitServedBy(second, fixture.port(), "h2");
      assertEchoed(open);
      assertServedBy(first, open);
    }
  }

  private static final StandardCopyOption[] REPLACED = {
    StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING
  };

  /**
   * As Kubernetes mounts a secret: files link through a folder's link, and only that one is
   * swapped.
   */
  @Test
  void certificate_linkSwapped_servesNewHandshakes() throws Exception {
    var first = TestCertificate.selfSigned("CN=a");
    var second = TestCertificate.selfSigned("CN=b");
    first.writeTo(Files.createDirectory(folder.resolve("..1")));
    second.writeTo(Files.createDirectory(folder.resolve("..2")));
    Files.createSymbolicLink(folder.resolve("..data"), Path.of("..1"));
    var certificate =
        Files.createSymbolicLink(folder.resolve("tls.crt"), Path.of("..data/cert.pem"));
    var key = Files.createSymbolicLink(folder.resolve("tls.key"), Path.of("..data/key.pem"));
    var tls = TlsOptions.builder().tlsCertificate(certificate).tlsKey(key).build();
    try (var fixture = TestServer.start(options -> options.tls(tls))) {
      awaitServedBy(first, fixture.port(), "http/1.1");
      var link = Files.createSymbolicLink(folder.resolve("..data_tmp"), Path.of("..2"));
      Files.move(link, folder.resolve("..data"), REPLACED);
      awaitServedBy(second, fixture.port(), "http/1.1");
    }
  }

  /** The certificate first: no handshake may use it with the old key. */
  @Test
  void certificate_withOldKey_isNotServed() throws Exception {
    var first = TestCertificate.selfSigned("CN=a");
    var second = TestCertificate.selfSigned("CN=b");
    var tls = first.writeTo(folder);
    try (var log = new LogRecords();
        var fixture = TestServer.start(options -> options.tls(tls))) {
      TestCertificate.writeChain(folder.resolve("cert.pem"), second);
      while (log.messages().stream().noneMatch(text -> text.contains("not reloaded"))) {
        try (var client = handshake(fixture.port(), "http/1.1")) {
          assertServedBy(first, client);
          assertEchoed(client);
        }
      }
      second.writeKey(folder.resolve("key.pem"));
      awaitServedBy(second, fixture.port(), "http/1.1");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", "PRI * HTTP/2.0\r\n\r\n", "\0\0", ""})
  void noHandshake_isClosedWithoutLogging(String bytes) throws Exception {
    var tls = TestCertificate.selfSigned("CN=a").writeTo(folder);
    try (var fixture = TestServer.start(options -> options.tls(tls));
        var log = new LogRecords()) {
      for (int i = 0; i < 20; i++) {
        try (var client = fixture.connect().send(bytes)) {
          assertThat(client.finish().readToEnd()).doesNotContain("HTTP/");
        }
      }
      try (var client = handshake(fixture.port(), "http/1.1")) {
        assertEchoed(client);
      }
      assertThat(log.messages()).isEmpty();
    }
  }

  @Test
  void failedHandshakes_areNotLogged() throws Exception {
    var tls = TestCertificate.selfSigned("CN=a").writeTo(folder);
    try (var fixture = TestServer.start(options -> options.tls(tls));
        var log = new LogRecords()) {
      for (int i = 0; i < 20; i++) {
        assertFails(fixture.port());
        // disconnected before its handshake, by a reset
        fixture.connect().send("\u0016\u0003\u0001").reset();
      }
      try (var client = handshake(fixture.port(), "http/1.1")) {
        assertEchoed(client);
      }
      assertThat(log.messages()).isEmpty();
    }
  }

  /** A client that supports none of the server's cipher suites. */
  private static void assertFails(int port) throws Exception {
    try (var socket = socket(port)) {
      socket.setEnabledProtocols(new String[] {"TLSv1.2"});
      socket.setEnabledCipherSuites(new String[] {"TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"});
      org.assertj.core.api.Assertions.assertThatThrownBy(socket::startHandshake)
          .isInstanceOf(SSLException.class);
    }
  }

  private static void awaitServedBy(TestCertificate expected, int port, String protocol)
      throws Exception {
    while (true) {
      try (var client = handshake(port, protocol)) {
        assertThat(client.getApplicationProtocol()).isEqualTo(protocol);
        if (serial(client).equals(expected.certificate().getSerialNumber())) {
          return;
        }
      }
    }
  }

  private static void assertServedBy(TestCertificate expected, SSLSocket client)
      throws SSLException {
    assertThat(serial(client)).isEqualTo(expected.certificate().getSerialNumber());
  }

  private static BigInteger serial(SSLSocket client) throws SSLException {
    return ((X509Certificate) client.getSession().getPeerCertificates()[0]).getSerialNumber();
  }

  private static void assertEchoed(SSLSocket client) {
    try {
      client.getOutputStream().write(ECHO.getBytes(US_ASCII));
      var answer = new StringBuilder();
      while (!answer.toString().endsWith("\r\n\r\nabc")) {
        var next = client.getInputStream().read();
        assertThat(next).as("after " + answer).isNotNegative();
        answer.append((char) next);
      }
      assertThat(answer).startsWith("HTTP/1.1 200 ");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static SSLSocket handshake(int port, String protocol) throws Exception {
    var socket = socket(port);
    var parameters = socket.getSSLParameters();
    parameters.setApplicationProtocols(new String[] {protocol});
    socket.setSSLParameters(parameters);
    socket.startHandshake();
    return socket;
  }

  private static SSLSocket socket(int port) throws Exception {
    var context = SSLContext.getInstance("TLS");
    context.init(null, new TrustManager[] {new TrustAll()}, null);
    var socket = (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1", port);
    socket.setSoTimeout(10_000);
    return socket;
  }
}
