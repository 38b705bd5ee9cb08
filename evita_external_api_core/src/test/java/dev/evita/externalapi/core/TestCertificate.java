// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core;

import dev.evita.externalapi.core.tls.TlsOptions;
import java.io.IOException;
import java.io.StringWriter;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.stream.Stream;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** A certificate and its key, self-signed or issued by another one, with any validity. */
public record TestCertificate(KeyPair keys, X509Certificate certificate) {

  static final String PASSWORD = "changeit";

  private static final Duration YEAR = Duration.ofDays(365);

  /** A self-signed certificate, valid for a year. */
  static TestCertificate selfSigned(String name) {
    return valid(name, Instant.now().minus(Duration.ofHours(1)), Instant.now().plus(YEAR));
  }

  /** A self-signed certificate, valid in this period. */
  public static TestCertificate valid(String name, Instant from, Instant to) {
    return selfSigned(name, "EC", from, to);
  }

  /** A self-signed certificate with a key of this algorithm, valid for a year. */
  static TestCertificate ofAlgorithm(String algorithm) {
    return selfSigned(
        "CN=localhost",
        algorithm,
        Instant.now().minus(Duration.ofHours(1)),
        Instant.now().plus(YEAR));
  }

  private static TestCertificate selfSigned(
      String name, String algorithm, Instant from, Instant to) {
    var keys = keys(algorithm);
    return new TestCertificate(keys, certificate(name, keys, name, keys.getPrivate(), from, to));
  }

  /** Issues a certificate signed by this one, valid for a year. */
  TestCertificate issue(String name) {
    var issued = keys("EC");
    var issuer = certificate.getSubjectX500Principal().getName();
    var from = Instant.now().minus(Duration.ofHours(1));
    return new TestCertificate(
        issued,
        certificate(name, issued, issuer, keys.getPrivate(), from, Instant.now().plus(YEAR)));
  }

  private static KeyPair keys(String algorithm) {
    try {
      var generator = KeyPairGenerator.getInstance(algorithm);
      if (algorithm.equals("EC")) {
        generator.initialize(256);
      }
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static X509Certificate certificate(
      String name, KeyPair keys, String issuer, PrivateKey signer, Instant from, Instant to) {
    try {
      var builder =
          new JcaX509v3CertificateBuilder(
              new X500Principal(issuer),
              new BigInteger(64, new SecureRandom()),
              Date.from(from),
              Date.from(to),
              new X500Principal(name),
              keys.getPublic());
      var names = new GeneralNames(new GeneralName(GeneralName.iPAddress, "127.0.0.1"));
      builder.addExtension(Extension.subjectAlternativeName, false, names);
      var algorithm =
          switch (signer.getAlgorithm()) {
            case "RSA" -> "SHA256withRSA";
            case "EC" -> "SHA256withECDSA";
            default -> "Ed25519";
          };
      var signed = builder.build(new JcaContentSignerBuilder(algorithm).build(signer));
      return new JcaX509CertificateConverter().getCertificate(signed);
    } catch (OperatorCreationException | IOException | GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Writes certificates, in this order. */
  public static Path writeChain(Path file, TestCertificate... chain) throws IOException {
    return Files.writeString(
        file, pem(Stream.of(chain).map(TestCertificate::certificate).toArray()));
  }

  /** Writes the key in PKCS#8. */
  public Path writeKey(Path file) throws IOException {
    return Files.writeString(file, keyPem());
  }

  String keyPem() throws IOException {
    return pem(new org.bouncycastle.openssl.jcajce.JcaPKCS8Generator(keys.getPrivate(), null));
  }

  /** The PEM text that OpenSSL would write. */
  static String pem(Object... objects) throws IOException {
    var text = new StringWriter();
    try (var writer = new JcaPEMWriter(text)) {
      for (var each : objects) {
        writer.writeObject(each);
      }
    }
    return text.toString();
  }

  /** Writes the options' two files into a folder. */
  public TlsOptions writeTo(Path folder) throws IOException {
    return TlsOptions.builder()
        .tlsCertificate(writeChain(folder.resolve("cert.pem"), this))
        .tlsKey(writeKey(folder.resolve("key.pem")))
        .build();
  }

  /** Writes a PKCS#12 file with this key and that chain, whether they match or not. */
  public TlsOptions writeStore(Path file, TestCertificate... chain) throws IOException {
    try (var out = Files.newOutputStream(file)) {
      var store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      store.setKeyEntry(
          "evita",
          keys.getPrivate(),
          PASSWORD.toCharArray(),
          Stream.of(chain).map(TestCertificate::certificate).toArray(Certificate[]::new));
      store.store(out, PASSWORD.toCharArray());
      return TlsOptions.builder().tlsKeystore(file).tlsPassword(PASSWORD).build();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
