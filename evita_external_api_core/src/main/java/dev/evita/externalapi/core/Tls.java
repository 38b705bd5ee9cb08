// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** Makes the TLS context from files, or from a certificate made on the spot. */
final class Tls {

  private static final List<String> KEY_ALGORITHMS = List.of("RSA", "EC", "Ed25519");
  private static final char[] IN_MEMORY = "in-memory".toCharArray();

  private Tls() {}

  static SSLContext context(TlsOptions options) {
    try {
      var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      var keystore = options.tlsKeystore();
      if (keystore != null) {
        var password = password(options);
        keys.init(pkcs12(keystore, password), password);
      } else if (options.tlsSelfSigned()) {
        keys.init(SelfSigned.keyStore(IN_MEMORY), IN_MEMORY);
      } else {
        keys.init(pem(options), IN_MEMORY);
      }
      var context = SSLContext.getInstance("TLS");
      context.init(keys.getKeyManagers(), null, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new EvitaException(
          ErrorCode.INVALID_CONFIGURATION, "The TLS key does not work: " + e.getMessage(), e);
    }
  }

  private static char[] password(TlsOptions options) {
    var password = options.tlsPassword();
    return password == null ? new char[0] : password.toCharArray();
  }

  private static KeyStore pkcs12(Path file, char[] password) throws GeneralSecurityException {
    var store = KeyStore.getInstance("PKCS12");
    try (var in = Files.newInputStream(file)) {
      store.load(in, password);
      return store;
    } catch (IOException e) {
      throw unreadable("tls-keystore", file, "a PKCS#12 file that tls-password opens", e);
    }
  }

  private static KeyStore pem(TlsOptions options) throws GeneralSecurityException {
    var chain = certificates(required("tls-certificate", options.tlsCertificate()));
    var key = privateKey(required("tls-key", options.tlsKey()));
    var store = KeyStore.getInstance("PKCS12");
    try {
      store.load(null, null);
    } catch (IOException e) {
      throw new GeneralSecurityException(e);
    }
    store.setKeyEntry("evita", key, IN_MEMORY, chain);
    return store;
  }

  private static Path required(String key, @Nullable Path value) {
    if (value == null) {
      throw new EvitaException(
          ErrorCode.INVALID_CONFIGURATION,
          key + " is missing; give tls-certificate and tls-key together");
    }
    return value;
  }

  private static Certificate[] certificates(Path file) throws GeneralSecurityException {
    try {
      var chain =
          CertificateFactory.getInstance("X.509")
              .generateCertificates(new ByteArrayInputStream(Files.readAllBytes(file)));
      if (!chain.isEmpty()) {
        return chain.toArray(new Certificate[0]);
      }
      throw unreadable("tls-certificate", file, "at least one PEM certificate", null);
    } catch (CertificateException e) {
      throw unreadable("tls-certificate", file, "PEM certificates, the server's own first", e);
    } catch (IOException e) {
      throw unreadable("tls-certificate", file, "a readable PEM file", e);
    }
  }

  private static PrivateKey privateKey(Path file) throws GeneralSecurityException {
    var encoded = new PKCS8EncodedKeySpec(pkcs8(file));
    for (var algorithm : KEY_ALGORITHMS) {
      try {
        return KeyFactory.getInstance(algorithm).generatePrivate(encoded);
      } catch (InvalidKeySpecException e) {
        // it is a key of one of the other algorithms, or of none, which is answered below
      }
    }
    throw unreadable("tls-key", file, "an RSA, EC or Ed25519 key", null);
  }

  private static byte[] pkcs8(Path file) {
    var begin = "-----BEGIN PRIVATE KEY-----";
    try {
      var text = Files.readString(file);
      var start = text.indexOf(begin);
      var end = text.indexOf("-----END PRIVATE KEY-----");
      if (start < 0 || end < start) {
        throw unreadable("tls-key", file, "an unencrypted PKCS#8 key ('" + begin + "')", null);
      }
      return Base64.getMimeDecoder().decode(text.substring(start + begin.length(), end));
    } catch (IOException | IllegalArgumentException e) {
      throw unreadable("tls-key", file, "a readable PEM file", e);
    }
  }

  private static EvitaException unreadable(
      String key, Path file, String expected, @Nullable Exception cause) {
    return new EvitaException(
        ErrorCode.INVALID_CONFIGURATION, key + " is '" + file + "'; expected " + expected, cause);
  }
}
