// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.tls;

import dev.evita.api.EvitaException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;
import javax.crypto.Cipher;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Reads the private key of a PEM file, the first if there are several.
 *
 * <table>
 *   <caption>Forms</caption>
 *   <tr><th>label<th>form
 *   <tr><td>{@code PRIVATE KEY}<td>PKCS#8 (RFC 5958)
 *   <tr><td>{@code ENCRYPTED PRIVATE KEY}<td>the same, encrypted; the password opens it
 *   <tr><td>{@code RSA PRIVATE KEY}<td>PKCS#1 (RFC 8017, appendix A.1.2)
 *   <tr><td>{@code EC PRIVATE KEY}<td>SEC1 (RFC 5915)
 *   <tr><td>the last two with {@code Proc-Type: 4,ENCRYPTED}<td>refused with the remedy
 * </table>
 */
final class PrivateKeyPem {

  private static final Pattern PEM =
      Pattern.compile(
          "-----BEGIN ((?:[A-Z]+ )?PRIVATE KEY)-----(.*?)-----END \\1-----", Pattern.DOTALL);
  private static final List<String> ALGORITHMS = List.of("RSA", "EC", "EdDSA", "RSASSA-PSS");

  private final TlsSource source;
  private final char @Nullable [] password;

  /**
   * @param source named in error messages
   * @param password of an encrypted key; null if none
   */
  PrivateKeyPem(TlsSource source, char @Nullable [] password) {
    this.source = source;
    this.password = password;
  }

  /**
   * Reads the key.
   *
   * @throws EvitaException {@code INVALID_CONFIGURATION}, which never quotes the file
   */
  PrivateKey read(byte[] file) throws GeneralSecurityException {
    var match = PEM.matcher(new String(file, StandardCharsets.ISO_8859_1));
    if (!match.find()) {
      throw source.refused(
          "; expected a PEM file with a private key ('-----BEGIN PRIVATE KEY-----')", null);
    }
    if (match.group(2).contains("Proc-Type: 4,ENCRYPTED")) {
      throw source.refused(
          ", a key in OpenSSL's outdated encrypted form; convert it: openssl pkcs8 -topk8 -in "
              + source.value()
              + " -out key.pem",
          null);
    }
    try {
      var der = Base64.getMimeDecoder().decode(match.group(2));
      return key(pkcs8(match.group(1), der));
    } catch (IllegalArgumentException e) {
      throw source.refused("; expected a readable PEM file", e);
    }
  }

  private PKCS8EncodedKeySpec pkcs8(String label, byte[] der) {
    return switch (label) {
      case "PRIVATE KEY" -> new PKCS8EncodedKeySpec(der);
      case "ENCRYPTED PRIVATE KEY" -> decrypted(der);
      case "RSA PRIVATE KEY" -> new PKCS8EncodedKeySpec(Pkcs8.ofPkcs1(der));
      case "EC PRIVATE KEY" -> new PKCS8EncodedKeySpec(Pkcs8.ofSec1(der));
      default ->
          throw source.refused(
              ", which is '"
                  + label
                  + "'; convert it: openssl pkcs8 -topk8 -nocrypt -in "
                  + source.value()
                  + " -out key.pem",
              null);
    };
  }

  private PKCS8EncodedKeySpec decrypted(byte[] der) {
    var remedy =
        "set tls-password to its password, or decrypt it: openssl pkey -in "
            + source.value()
            + " -out key.pem";
    var opening = password;
    if (opening == null) {
      throw source.refused(", an encrypted key, and tls-password is missing; " + remedy, null);
    }
    try {
      var encrypted = new EncryptedPrivateKeyInfo(der);
      // Older JDKs report the scheme; the algorithm is only in its parameters.
      var algorithm =
          encrypted.getAlgName().equals("PBES2")
              ? encrypted.getAlgParameters().toString()
              : encrypted.getAlgName();
      var key = SecretKeyFactory.getInstance(algorithm).generateSecret(new PBEKeySpec(opening));
      var cipher = Cipher.getInstance(algorithm);
      cipher.init(Cipher.DECRYPT_MODE, key, encrypted.getAlgParameters());
      return encrypted.getKeySpec(cipher);
    } catch (InvalidKeySpecException e) {
      // The cause names only classes and padding.
      throw source.refused(
          ", an encrypted key that tls-password does not open: wrong password; " + remedy, null);
    } catch (IOException | GeneralSecurityException e) {
      throw source.refused(", an encrypted key that tls-password does not open; " + remedy, e);
    }
  }

  private PrivateKey key(PKCS8EncodedKeySpec encoded) throws GeneralSecurityException {
    for (var algorithm : ALGORITHMS) {
      try {
        return KeyFactory.getInstance(algorithm).generatePrivate(encoded);
      } catch (InvalidKeySpecException e) {
        // try the next algorithm; a key of none of them is rejected below
      }
    }
    throw source.refused("; expected an RSA, EC, Ed25519 or Ed448 key", null);
  }
}
