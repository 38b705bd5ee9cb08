// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.tls;

import dev.evita.api.EvitaException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PSSParameterSpec;
import java.time.Clock;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Checks a key pair before clients use it, whose handshakes would fail one by one.
 *
 * <ul>
 *   <li>The private key matches the leaf certificate.
 *   <li>The leaf is valid now. Others of the chain may have expired: clients choose their own path.
 *   <li>Each certificate was issued by the next (RFC 8446, section 4.4.2): by name and signature.
 * </ul>
 */
final class CertificateCheck {

  private static final byte[] PROBE = "evita".getBytes(StandardCharsets.US_ASCII);

  private final Clock clock;

  CertificateCheck(Clock clock) {
    this.clock = clock;
  }

  /**
   * Checks one key pair.
   *
   * @throws EvitaException {@code INVALID_CONFIGURATION}, with the same message for the same key
   *     pair at any time
   */
  void require(TlsKeyEntry entry) {
    requireMatch(entry);
    requireValidity(entry);
    requireOrder(entry);
  }

  private static void requireMatch(TlsKeyEntry entry) {
    var leaf = entry.leaf();
    if (!matches(entry.key(), leaf.getPublicKey())) {
      throw entry
          .keySource()
          .refused(
              ", whose key does not match the certificate of "
                  + TlsKeyEntry.name(leaf)
                  + " in "
                  + entry.chainSource()
                  + "; configure the key that this certificate was issued for",
              null);
    }
  }

  private static boolean matches(PrivateKey key, PublicKey publicKey) {
    try {
      var signing = signature(key.getAlgorithm());
      signing.initSign(key);
      signing.update(PROBE);
      var signed = signing.sign();
      var verifying = signature(key.getAlgorithm());
      verifying.initVerify(publicKey);
      verifying.update(PROBE);
      return verifying.verify(signed);
    } catch (GeneralSecurityException e) {
      return false; // a key of another algorithm, or of another size
    }
  }

  private static Signature signature(String keyAlgorithm) throws GeneralSecurityException {
    return switch (keyAlgorithm) {
      case "RSA" -> Signature.getInstance("SHA256withRSA");
      case "EC" -> Signature.getInstance("SHA256withECDSA");
      case "RSASSA-PSS" -> {
        var pss = Signature.getInstance("RSASSA-PSS");
        pss.setParameter(new PSSParameterSpec("SHA-256", "MGF1", MGF1ParameterSpec.SHA256, 32, 1));
        yield pss;
      }
      default -> Signature.getInstance(keyAlgorithm);
    };
  }

  private void requireValidity(TlsKeyEntry entry) {
    var leaf = entry.leaf();
    var now = clock.instant();
    if (now.isAfter(expiry(leaf))) {
      throw entry
          .chainSource()
          .refused(
              ", whose certificate of "
                  + TlsKeyEntry.name(leaf)
                  + " expired on "
                  + expiry(leaf)
                  + "; renew it",
              null);
    }
    if (now.isBefore(leaf.getNotBefore().toInstant())) {
      throw entry
          .chainSource()
          .refused(
              ", whose certificate of "
                  + TlsKeyEntry.name(leaf)
                  + " is not valid before "
                  + leaf.getNotBefore().toInstant()
                  + "; check the clock of this machine, or configure a valid certificate",
              null);
    }
  }

  private static void requireOrder(TlsKeyEntry entry) {
    var chain = entry.chain();
    for (int i = 0; i + 1 < chain.size(); i++) {
      var fault = issuerFault(chain.get(i), chain.get(i + 1));
      if (fault != null) {
        throw entry
            .chainSource()
            .refused(
                ", whose certificate "
                    + (i + 2)
                    + " ("
                    + TlsKeyEntry.name(chain.get(i + 1))
                    + ") is not the issuer of certificate "
                    + (i + 1)
                    + " ("
                    + TlsKeyEntry.name(chain.get(i))
                    + "): "
                    + fault
                    + "; order the chain from the server's own certificate to the root, each"
                    + " followed by its issuer",
                null);
      }
    }
  }

  private static @Nullable String issuerFault(X509Certificate issued, X509Certificate issuer) {
    var expected = issued.getIssuerX500Principal();
    if (!expected.equals(issuer.getSubjectX500Principal())) {
      return "the issuer is " + expected.getName();
    }
    try {
      issued.verify(issuer.getPublicKey());
      return null;
    } catch (GeneralSecurityException e) {
      return "the issuer name matches, but the signature was made by another key";
    }
  }

  /** The last instant at which a certificate is valid. */
  static Instant expiry(X509Certificate certificate) {
    return certificate.getNotAfter().toInstant();
  }
}
