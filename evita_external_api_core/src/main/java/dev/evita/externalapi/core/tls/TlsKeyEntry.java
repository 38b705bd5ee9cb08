// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.tls;

import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;

/**
 * A private key and its certificate chain, the server's own certificate (the leaf) first.
 *
 * @param keySource where the key was read
 * @param chainSource where the chain was read
 */
record TlsKeyEntry(
    PrivateKey key, List<X509Certificate> chain, TlsSource keySource, TlsSource chainSource) {

  TlsKeyEntry {
    chain = List.copyOf(chain);
  }

  /** The server's own certificate. */
  X509Certificate leaf() {
    return chain.getFirst();
  }

  /** The certificate's subject, or its serial number if it has none, as with Let's Encrypt. */
  static String name(X509Certificate certificate) {
    var subject = certificate.getSubjectX500Principal().getName();
    return subject.isEmpty() ? "serial number " + certificate.getSerialNumber() : subject;
  }
}
