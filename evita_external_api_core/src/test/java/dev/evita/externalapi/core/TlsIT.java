// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.tls.TlsOptions;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** HTTPS with keys of each form, and error messages for invalid keys. */
@Timeout(60)
final class TlsIT {

  private static final String PASSWORD = "changeit";

  @TempDir private Path files;

  @ParameterizedTest
  @EnumSource(Version.class)
  void pkcs12_bothHttpVersions_areNegotiated(Version version) throws Exception {
    var store = keystore("EC");
    assertServes(
        TlsOptions.builder().tlsKeystore(store).tlsPassword(PASSWORD).build(), store, version);
  }

  @ParameterizedTest
  @ValueSource(strings = {"RSA", "EC", "Ed25519"})
  void pem_eachAlgorithm_serves(String algorithm) throws Exception {
    var store = keystore(algorithm);
    assertServes(pem(store), store, Version.HTTP_2);
  }

  @Test
  void selfSigned_serves() throws Exception {
    var tls = TlsOptions.builder().tlsSelfSigned(true).build();
    try (var fixture = TestServer.start(options -> options.tls(tls));
        var client = fixture.connect()) {
      assertThat(fixture.server.uri().getScheme()).isEqualTo("https");
      // Plain text on a TLS port: no response would be readable by the client.
      assertThat(client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n").readToEnd())
          .doesNotContain("HTTP/");
    }
  }

  private static void assertServes(TlsOptions tls, Path trusted, Version version) throws Exception {
    try (var fixture = TestServer.start(options -> options.tls(tls));
        var client =
            HttpClient.newBuilder().version(version).sslContext(trusting(trusted)).build()) {
      var uri = fixture.server.uri();
      for (var body : new String[] {"hello", "0123456789".repeat(90_000)}) {
        var request =
            HttpRequest.newBuilder(uri.resolve("/echo")).POST(BodyPublishers.ofString(body));
        var response = client.send(request.build(), BodyHandlers.ofString());
        assertThat(response.version()).isEqualTo(version);
        assertThat(response.body()).isEqualTo(body);
      }
      var rows = HttpRequest.newBuilder(uri.resolve("/rows?n=30000")).build();
      assertThat(client.send(rows, BodyHandlers.ofString()).body()).hasSize(30_000 * 100 + 1);
    }
  }

  @Test
  void password_wrong_isReportedWithoutItsValue() throws Exception {
    var store = keystore("EC");
    var failure =
        failure(TlsOptions.builder().tlsKeystore(store).tlsPassword("not-the-one").build());
    assertThat(failure)
        .hasMessageContaining("tls-password")
        .hasMessageContaining("key.p12")
        .hasMessageContaining("wrong password")
        .hasNoCause()
        .hasMessageNotContaining("not-the-one");
  }

  @Test
  void files_missing_areNamed() throws Exception {
    var nowhere = files.resolve("nowhere");
    var pem = pem(keystore("EC"));
    assertThat(failure(TlsOptions.builder().tlsKeystore(nowhere).tlsPassword(PASSWORD).build()))
        .hasMessageContaining("tls-keystore is '" + nowhere);
    assertThat(failure(TlsOptions.builder().tlsCertificate(nowhere).tlsKey(pem.tlsKey()).build()))
        .hasMessageContaining("tls-certificate is '" + nowhere);
    assertThat(
            failure(
                TlsOptions.builder().tlsCertificate(pem.tlsCertificate()).tlsKey(nowhere).build()))
        .hasMessageContaining("tls-key is '" + nowhere);
    assertThat(failure(TlsOptions.builder().tlsCertificate(pem.tlsCertificate()).build()))
        .hasMessageContaining("tls-key is missing");
    assertThat(
            failure(TlsOptions.builder().tlsCertificate(pem.tlsKey()).tlsKey(pem.tlsKey()).build()))
        .hasMessageContaining("tls-certificate");
  }

  private static EvitaException failure(TlsOptions tls) {
    var failure =
        catchThrowableOfType(
            EvitaException.class, () -> TestServer.start(options -> options.tls(tls)).close());
    assertThat(failure.code()).isEqualTo(ErrorCode.INVALID_CONFIGURATION);
    return failure;
  }

  private Path keystore(String algorithm) throws IOException, InterruptedException {
    var file = files.resolve("key.p12");
    var keytool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
    var made =
        new ProcessBuilder(
                keytool,
                "-genkeypair",
                "-alias",
                "evita",
                "-keyalg",
                algorithm,
                "-storetype",
                "PKCS12",
                "-keystore",
                file.toString(),
                "-storepass",
                PASSWORD,
                "-dname",
                "CN=localhost",
                "-ext",
                "san=dns:localhost,ip:127.0.0.1",
                "-validity",
                "2")
            .redirectErrorStream(true)
            .start();
    assertThat(new String(made.getInputStream().readAllBytes(), UTF_8)).doesNotContain("rror");
    assertThat(made.waitFor()).isZero();
    return file;
  }

  private TlsOptions pem(Path keystore) throws Exception {
    var store = load(keystore);
    var certificate = files.resolve("certificate.pem");
    var key = files.resolve("key.pem");
    Files.writeString(certificate, pem("CERTIFICATE", store.getCertificate("evita").getEncoded()));
    Files.writeString(
        key, pem("PRIVATE KEY", store.getKey("evita", PASSWORD.toCharArray()).getEncoded()));
    return TlsOptions.builder().tlsCertificate(certificate).tlsKey(key).build();
  }

  private static String pem(String label, byte @Nullable [] der) {
    var text = Base64.getMimeEncoder().encodeToString(der);
    return "-----BEGIN " + label + "-----\n" + text + "\n-----END " + label + "-----\n";
  }

  private static KeyStore load(Path file) throws Exception {
    var store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      store.load(in, PASSWORD.toCharArray());
    }
    return store;
  }

  private static SSLContext trusting(Path keystore) throws Exception {
    var trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("evita", load(keystore).getCertificate("evita"));
    var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    var context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context;
  }
}
