// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.tls;

import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.limits.Description;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The TLS options of the port; HTTP/2 is offered by ALPN. With all components absent or false, the
 * port serves plain HTTP.
 */
public record TlsOptions(
    @Description(
            "PEM file with the certificate chain, the server's own first; needs tls-key. Read again"
                + " when it changes.")
        @Nullable Path tlsCertificate,
    @Description(
            "PEM file with the private key of tls-certificate: PKCS#8, PKCS#1 (RSA) or SEC1 (EC).")
        @Nullable Path tlsKey,
    @Description("PKCS#12 file with key and certificate chain, instead of the two PEM files.")
        @Nullable Path tlsKeystore,
    @Description("The password of tls-keystore, or of an encrypted tls-key.")
        @Nullable String tlsPassword,
    @Description("Make a self-signed certificate at start. For development only.")
        boolean tlsSelfSigned) {

  /** Plain HTTP. */
  public static final TlsOptions NONE = builder().build();

  /** Whether TLS is enabled. */
  public boolean enabled() {
    return tlsCertificate != null || tlsKey != null || tlsKeystore != null || tlsSelfSigned;
  }

  /** Shows which sources are set, but never the password. */
  @Override
  public String toString() {
    return "TlsOptions[certificate="
        + tlsCertificate
        + ", keystore="
        + tlsKeystore
        + ", selfSigned="
        + tlsSelfSigned
        + "]";
  }

  /** Starts from {@link #NONE}. */
  public static Builder builder() {
    return new Builder();
  }

  /** Starts from these values. */
  public Builder toBuilder() {
    return new Builder(this);
  }

  /** Sets each component by its name. Not thread-safe. */
  public static final class Builder {
    private @Nullable Path tlsCertificate;
    private @Nullable Path tlsKey;
    private @Nullable Path tlsKeystore;
    private @Nullable String tlsPassword;
    private boolean tlsSelfSigned = false;

    private Builder() {}

    private Builder(TlsOptions from) {
      tlsCertificate = from.tlsCertificate;
      tlsKey = from.tlsKey;
      tlsKeystore = from.tlsKeystore;
      tlsPassword = from.tlsPassword;
      tlsSelfSigned = from.tlsSelfSigned;
    }

    public Builder tlsCertificate(@Nullable Path value) {
      tlsCertificate = value;
      return this;
    }

    public Builder tlsKey(@Nullable Path value) {
      tlsKey = value;
      return this;
    }

    public Builder tlsKeystore(@Nullable Path value) {
      tlsKeystore = value;
      return this;
    }

    public Builder tlsPassword(@Nullable String value) {
      tlsPassword = value;
      return this;
    }

    public Builder tlsSelfSigned(boolean value) {
      tlsSelfSigned = value;
      return this;
    }

    /**
     * Builds the {@link TlsOptions}.
     *
     * @throws EvitaException {@code INVALID_CONFIGURATION} if a value is out of its range; the
     *     message names the key
     */
    public TlsOptions build() {
      return new TlsOptions(tlsCertificate, tlsKey, tlsKeystore, tlsPassword, tlsSelfSigned);
    }
  }
}
