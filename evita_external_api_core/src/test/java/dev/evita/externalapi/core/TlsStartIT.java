// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.tls.TlsOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.bouncycastle.asn1.sec.ECPrivateKey;
import org.bouncycastle.asn1.sec.SECObjectIdentifiers;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.bouncycastle.openssl.jcajce.JcaMiscPEMGenerator;
import org.bouncycastle.openssl.jcajce.JcaPKCS8Generator;
import org.bouncycastle.openssl.jcajce.JceOpenSSLPKCS8EncryptorBuilder;
import org.bouncycastle.openssl.jcajce.JcePEMEncryptorBuilder;
import org.bouncycastle.util.io.pem.PemObject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Key pairs that cannot be used. They used to be accepted; then each handshake failed without a log
 * message.
 */
@Timeout(60)
final class TlsStartIT {

  @TempDir private Path folder;

  private static EvitaException failure(TlsOptions tls) {
    var failure =
        catchThrowableOfType(
            EvitaException.class, () -> TestServer.start(options -> options.tls(tls)).close());
    assertThat(failure.code()).isEqualTo(ErrorCode.INVALID_CONFIGURATION);
    return failure;
  }

  private TlsOptions pem(TestCertificate key, TestCertificate... chain) throws Exception {
    return TlsOptions.builder()
        .tlsCertificate(TestCertificate.writeChain(folder.resolve("cert.pem"), chain))
        .tlsKey(key.writeKey(folder.resolve("key.pem")))
        .build();
  }

  // ---- the key ----

  @ParameterizedTest
  @ValueSource(strings = {"EC", "RSA", "Ed25519"})
  void key_ofOtherCertificate_isRejected(String algorithm) throws Exception {
    var certificate = TestCertificate.selfSigned("CN=localhost");
    assertThat(failure(pem(TestCertificate.ofAlgorithm(algorithm), certificate)))
        .hasMessage(
            "tls-key is '%s', whose key does not match the certificate of CN=localhost in"
                + " tls-certificate '%s'; configure the key that this certificate was issued for",
            folder.resolve("key.pem"), folder.resolve("cert.pem"));
  }

  @Test
  void keystore_keyOfOtherCertificate_isRejected() throws Exception {
    var certificate = TestCertificate.selfSigned("CN=localhost");
    var other = TestCertificate.selfSigned("CN=localhost");
    assertThat(failure(other.writeStore(folder.resolve("key.p12"), certificate)))
        .hasMessageContaining("tls-keystore is")
        .hasMessageContaining("key.p12', whose key does not match the certificate of CN=localhost");
  }

  @Test
  void key_inPkcs1_serves() throws Exception {
    var certificate = TestCertificate.ofAlgorithm("RSA");
    var tls = pem(certificate, certificate);
    var key = new JcaMiscPEMGenerator(certificate.keys().getPrivate());
    var file = Files.writeString(folder.resolve("key.pem"), TestCertificate.pem(key));
    assertThat(file).content().contains("BEGIN RSA PRIVATE KEY");
    TestServer.start(options -> options.tls(tls)).close();
  }

  @Test
  void key_inSec1_serves() throws Exception {
    var certificate = TestCertificate.selfSigned("CN=localhost");
    var tls = pem(certificate, certificate);
    var number = ((java.security.interfaces.ECPrivateKey) certificate.keys().getPrivate()).getS();
    var key = new ECPrivateKey(256, number, SECObjectIdentifiers.secp256r1);
    Files.writeString(
        folder.resolve("key.pem"),
        TestCertificate.pem(new PemObject("EC PRIVATE KEY", key.getEncoded())));
    TestServer.start(options -> options.tls(tls)).close();
  }

  @Test
  void key_encrypted_requiresTlsPassword() throws Exception {
    var certificate = TestCertificate.selfSigned("CN=localhost");
    var plain = pem(certificate, certificate);
    var encryptor =
        new JceOpenSSLPKCS8EncryptorBuilder(JcaPKCS8Generator.AES_256_CBC)
            .setProvider(new BouncyCastleProvider())
            .setPassword("secret".toCharArray())
            .build();
    var key = new JcaPKCS8Generator(certificate.keys().getPrivate(), encryptor);
    var file = Files.writeString(folder.resolve("key.pem"), TestCertificate.pem(key));
    assertThat(file).content().contains("BEGIN ENCRYPTED PRIVATE KEY");

    TestServer.start(options -> options.tls(withPassword(plain, "secret"))).close();
    assertThat(failure(plain))
        .hasMessageContaining("an encrypted key, and tls-password is missing")
        .hasMessageContaining("openssl pkey -in " + file);
    assertThat(failure(withPassword(plain, "not-the-one")))
        .hasMessageContaining("an encrypted key that tls-password does not open: wrong password")
        .hasNoCause()
        .hasMessageNotContaining("not-the-one");
  }

  private static TlsOptions withPassword(TlsOptions tls, String password) {
    return TlsOptions.builder()
        .tlsCertificate(tls.tlsCertificate())
        .tlsKey(tls.tlsKey())
        .tlsPassword(password)
        .build();
  }

  @Test
  void key_outdatedEncryption_isRejectedWithTheRemedy() throws Exception {
    var certificate = TestCertificate.selfSigned("CN=localhost");
    var tls = pem(certificate, certificate);
    var encryptor =
        new JcePEMEncryptorBuilder("AES-128-CBC")
            .setProvider(new BouncyCastleProvider())
            .build("secret".toCharArray());
    var key = new JcaMiscPEMGenerator(certificate.keys().getPrivate(), encryptor);
    var file = Files.writeString(folder.resolve("key.pem"), TestCertificate.pem(key));
    assertThat(failure(withPassword(tls, "secret")))
        .hasMessageContaining(
            "tls-key is '" + file + "', a key in OpenSSL's outdated encrypted form")
        .hasMessageContaining("openssl pkcs8 -topk8 -in " + file);
  }

  // ---- the time ----

  @Test
  void certificate_expired_isRejectedWithItsDate() throws Exception {
    var to = Instant.parse("2025-01-31T12:00:00Z");
    var expired = TestCertificate.valid("CN=localhost", to.minus(Duration.ofDays(9)), to);
    assertThat(failure(pem(expired, expired)))
        .hasMessage(
            "tls-certificate is '%s', whose certificate of CN=localhost expired on"
                + " 2025-01-31T12:00:00Z; renew it",
            folder.resolve("cert.pem"));
    assertThat(failure(expired.writeStore(folder.resolve("key.p12"), expired)))
        .hasMessageContaining("tls-keystore is")
        .hasMessageContaining("expired on 2025-01-31T12:00:00Z");
  }

  @Test
  void certificate_notYetValid_isRejectedWithItsDate() throws Exception {
    var from = Instant.parse("2126-01-31T12:00:00Z");
    var early = TestCertificate.valid("CN=localhost", from, from.plus(Duration.ofDays(9)));
    assertThat(failure(pem(early, early)))
        .hasMessageContaining("is not valid before 2126-01-31T12:00:00Z; check the clock");
  }

  @Test
  void certificate_expiringWithinAMonth_logsWarning() throws Exception {
    var now = Instant.now();
    var soon = TestCertificate.valid("CN=soon", now, now.plus(Duration.ofDays(12)));
    var tls = pem(soon, soon);
    try (var log = new LogRecords()) {
      TestServer.start(options -> options.tls(tls)).close();
      assertThat(log.messages())
          .filteredOn(message -> message.contains("CN=soon"))
          .singleElement()
          .asString()
          .startsWith("WARNING TLS certificate of CN=soon in tls-certificate")
          .contains("expires on")
          .endsWith("(11 days left); renew it");
    }
  }

  // ---- the chain ----

  @Test
  void chain_inOrder_serves() throws Exception {
    var root = TestCertificate.selfSigned("CN=Root");
    var middle = root.issue("CN=Middle");
    var leaf = middle.issue("CN=localhost");
    var tls = pem(leaf, leaf, middle, root);
    TestServer.start(options -> options.tls(tls)).close();
    var store = leaf.writeStore(folder.resolve("key.p12"), leaf, middle, root);
    TestServer.start(options -> options.tls(store)).close();
  }

  @Test
  void chain_outOfOrder_isRejectedWithThePosition() throws Exception {
    var root = TestCertificate.selfSigned("CN=Root");
    var middle = root.issue("CN=Middle");
    var leaf = middle.issue("CN=localhost");
    assertThat(failure(pem(leaf, leaf, root, middle)))
        .hasMessageContaining(
            "whose certificate 2 (CN=Root) is not the issuer of certificate 1 (CN=localhost): the"
                + " issuer is CN=Middle");
    assertThat(failure(pem(leaf, leaf, middle, middle)))
        .hasMessageContaining(
            "whose certificate 3 (CN=Middle) is not the issuer of certificate 2 (CN=Middle): the"
                + " issuer is CN=Root");
    // The root first: then the key has to match it.
    assertThat(failure(pem(leaf, root, middle, leaf)))
        .hasMessageContaining("does not match the certificate of CN=Root");
  }

  @Test
  void chain_otherIssuerOfSameName_isRejectedBySignature() throws Exception {
    var leaf = TestCertificate.selfSigned("CN=Root").issue("CN=localhost");
    var namesake = TestCertificate.selfSigned("CN=Root");
    var expected =
        "whose certificate 2 (CN=Root) is not the issuer of certificate 1 (CN=localhost): the issuer"
            + " name matches, but the signature was made by another key";
    assertThat(failure(pem(leaf, leaf, namesake))).hasMessageContaining(expected);
    assertThat(failure(leaf.writeStore(folder.resolve("key.p12"), leaf, namesake)))
        .hasMessageContaining("tls-keystore is")
        .hasMessageContaining(expected);
  }

  // ---- the file ----

  @Test
  void keystore_withoutKey_isRejected() throws Exception {
    var file = folder.resolve("empty.p12");
    try (var out = Files.newOutputStream(file)) {
      var store = java.security.KeyStore.getInstance("PKCS12");
      store.load(null, null);
      store.store(out, "changeit".toCharArray());
    }
    assertThat(failure(TlsOptions.builder().tlsKeystore(file).tlsPassword("changeit").build()))
        .hasMessageContaining("expected a PKCS#12 file with a private key and its certificates");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
        "-----BEGIN RSA PRIVATE KEY-----\nAAAA\n-----END RSA PRIVATE KEY-----\n",
        "-----BEGIN EC PRIVATE KEY-----\nMHcCAQEE\n-----END EC PRIVATE KEY-----\n",
        "-----BEGIN EC PRIVATE KEY-----\n\n-----END EC PRIVATE KEY-----\n",
        "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n",
        "-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----\n",
        "-----BEGIN PRIVATE KEY-----\n*\n-----END PRIVATE KEY-----\n",
        "-----BEGIN PRIVATE KEY-----\nMIG"
      })
  void key_unreadable_isRejected(String text) throws Exception {
    var certificate = TestCertificate.selfSigned("CN=localhost");
    var tls = withPassword(pem(certificate, certificate), "secret");
    Files.writeString(folder.resolve("key.pem"), text);
    assertThat(failure(tls)).hasMessageStartingWith("tls-key is '" + folder.resolve("key.pem"));
  }
}
