// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.tls;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.UnrecoverableKeyException;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** Reads key pairs from files, or creates one, and builds the TLS context. */
final class Tls {

  private static final char[] IN_MEMORY = "in-memory".toCharArray();

  private Tls() {}

  /**
   * Reads the key pairs of these files, or creates a self-signed one if the options require it.
   *
   * @throws EvitaException {@code INVALID_CONFIGURATION}
   */
  static List<TlsKeyEntry> entries(TlsOptions options, TlsFiles files) {
    try {
      if (options.tlsKeystore() != null) {
        return pkcs12(options, files);
      }
      if (options.tlsSelfSigned()) {
        var source = new TlsSource("tls-self-signed", "true");
        return entries(SelfSigned.keyStore(IN_MEMORY), IN_MEMORY, source);
      }
      return List.of(pem(options, files));
    } catch (GeneralSecurityException e) {
      throw broken(e);
    }
  }

  /**
   * Builds the context that offers these key pairs.
   *
   * @throws EvitaException {@code INVALID_CONFIGURATION}
   */
  static SSLContext context(List<TlsKeyEntry> entries) {
    try {
      var store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      for (int i = 0; i < entries.size(); i++) {
        var entry = entries.get(i);
        var chain = entry.chain().toArray(Certificate[]::new);
        store.setKeyEntry("evita-" + i, entry.key(), IN_MEMORY, chain);
      }
      var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(store, IN_MEMORY);
      var context = SSLContext.getInstance("TLS");
      context.init(keys.getKeyManagers(), null, null);
      return context;
    } catch (GeneralSecurityException | IOException e) {
      throw broken(e);
    }
  }

  private static EvitaException broken(Exception cause) {
    return new EvitaException(
        ErrorCode.INVALID_CONFIGURATION,
        "The TLS key cannot be used: " + cause.getMessage(),
        cause);
  }

  private static List<TlsKeyEntry> pkcs12(TlsOptions options, TlsFiles files)
      throws GeneralSecurityException {
    var source = TlsFiles.keystore(options);
    var password =
        options.tlsPassword() == null ? new char[0] : options.tlsPassword().toCharArray();
    var store = KeyStore.getInstance("PKCS12");
    try {
      store.load(new ByteArrayInputStream(files.bytes(source)), password);
      var entries = entries(store, password, source);
      if (!entries.isEmpty()) {
        return entries;
      }
    } catch (IOException | UnrecoverableKeyException e) {
      if (e instanceof UnrecoverableKeyException
          || e.getCause() instanceof UnrecoverableKeyException) {
        throw source.refused("; tls-password does not open it: wrong password", null);
      }
      throw source.refused("; expected a PKCS#12 file that tls-password opens", e);
    }
    throw source.refused("; expected a PKCS#12 file with a private key and its certificates", null);
  }

  private static List<TlsKeyEntry> entries(KeyStore store, char[] password, TlsSource source)
      throws GeneralSecurityException {
    var entries = new ArrayList<TlsKeyEntry>();
    for (var alias : Collections.list(store.aliases())) {
      var chain = store.getCertificateChain(alias);
      if (chain != null && store.getKey(alias, password) instanceof PrivateKey key) {
        entries.add(new TlsKeyEntry(key, x509(Arrays.asList(chain)), source, source));
      }
    }
    return entries;
  }

  private static TlsKeyEntry pem(TlsOptions options, TlsFiles files)
      throws GeneralSecurityException {
    var chainSource = TlsFiles.certificate(options);
    var keySource = TlsFiles.key(options);
    var password = options.tlsPassword();
    var key =
        new PrivateKeyPem(keySource, password == null ? null : password.toCharArray())
            .read(files.bytes(keySource));
    return new TlsKeyEntry(key, chain(chainSource, files), keySource, chainSource);
  }

  private static List<X509Certificate> chain(TlsSource source, TlsFiles files) {
    @Nullable CertificateException cause = null;
    try {
      var in = new ByteArrayInputStream(files.bytes(source));
      var chain = CertificateFactory.getInstance("X.509").generateCertificates(in);
      if (!chain.isEmpty()) {
        return x509(chain);
      }
    } catch (CertificateException e) {
      cause = e;
    }
    throw source.refused("; expected PEM certificates, the server's own first", cause);
  }

  private static List<X509Certificate> x509(Collection<? extends Certificate> chain) {
    return chain.stream().map(X509Certificate.class::cast).toList();
  }
}
