// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.tls;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import org.jspecify.annotations.Nullable;

/**
 * A configuration key that names a part of the TLS key pair.
 *
 * @param value the configured path of a file
 */
record TlsSource(String key, String value) {

  /**
   * Returns the exception for an invalid source.
   *
   * @param rest completes the sentence "{@code tls-key} is '{@code /etc/key.pem}'", with the fault
   *     and the remedy
   */
  EvitaException refused(String rest, @Nullable Exception cause) {
    return new EvitaException(
        ErrorCode.INVALID_CONFIGURATION, key + " is '" + value + "'" + rest, cause);
  }

  @Override
  public String toString() {
    return key + " '" + value + "'";
  }
}
