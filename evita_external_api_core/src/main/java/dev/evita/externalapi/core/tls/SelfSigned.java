// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.tls;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * A certificate for development, for localhost only, created at start and never stored.
 *
 * <p>The JDK can create certificates only by internal classes. Bouncy Castle is an optional
 * dependency that only this class uses.
 */
final class SelfSigned {

  private SelfSigned() {}

  static KeyStore keyStore(char[] password) throws GeneralSecurityException {
    try {
      var generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(256);
      var pair = generator.generateKeyPair();
      var subject = new X500Principal("CN=localhost, OU=Evita self-signed for development");
      var now = Instant.now();
      var builder =
          new JcaX509v3CertificateBuilder(
              subject,
              new BigInteger(127, new SecureRandom()),
              Date.from(now.minus(Duration.ofHours(1))),
              Date.from(now.plus(Duration.ofDays(90))),
              subject,
              pair.getPublic());
      var names =
          new GeneralName[] {
            new GeneralName(GeneralName.dNSName, "localhost"),
            new GeneralName(GeneralName.iPAddress, "127.0.0.1"),
            new GeneralName(GeneralName.iPAddress, "::1")
          };
      builder.addExtension(Extension.subjectAlternativeName, false, new GeneralNames(names));
      var signer = new JcaContentSignerBuilder("SHA256withECDSA").build(pair.getPrivate());
      var certificate = new JcaX509CertificateConverter().getCertificate(builder.build(signer));
      var store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      store.setKeyEntry("evita", pair.getPrivate(), password, new Certificate[] {certificate});
      return store;
    } catch (OperatorCreationException | IOException e) {
      throw new GeneralSecurityException(e);
    } catch (NoClassDefFoundError e) {
      throw new EvitaException(
          ErrorCode.INVALID_CONFIGURATION,
          "tls-self-signed needs org.bouncycastle:bcpkix-jdk18on on the class path",
          e);
    }
  }
}
