// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.tls;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot of the bytes of the TLS files. Equal if and only if the bytes are: a file may be
 * replaced, moved or linked to another within the resolution of its time stamp.
 */
record TlsFiles(Map<TlsSource, ByteBuffer> contents) {

  TlsFiles {
    contents = Map.copyOf(contents);
  }

  /**
   * Reads the files; none if the certificate is created at start.
   *
   * @throws EvitaException {@code INVALID_CONFIGURATION} for a file that cannot be read, and for a
   *     configuration key that requires another one
   */
  static TlsFiles read(TlsOptions options) {
    var contents = new HashMap<TlsSource, ByteBuffer>();
    for (var source : sources(options)) {
      try {
        contents.put(source, ByteBuffer.wrap(Files.readAllBytes(Path.of(source.value()))));
      } catch (IOException e) {
        throw source.refused("; expected a readable file", e);
      }
    }
    return new TlsFiles(contents);
  }

  private static List<TlsSource> sources(TlsOptions options) {
    if (options.tlsKeystore() != null) {
      return List.of(keystore(options));
    }
    return options.tlsSelfSigned() ? List.of() : List.of(certificate(options), key(options));
  }

  static TlsSource keystore(TlsOptions options) {
    return source("tls-keystore", options.tlsKeystore());
  }

  static TlsSource certificate(TlsOptions options) {
    return source("tls-certificate", options.tlsCertificate());
  }

  static TlsSource key(TlsOptions options) {
    return source("tls-key", options.tlsKey());
  }

  private static TlsSource source(String key, @Nullable Path file) {
    if (file == null) {
      throw new EvitaException(
          ErrorCode.INVALID_CONFIGURATION,
          key + " is missing; give tls-certificate and tls-key together");
    }
    return new TlsSource(key, file.toString());
  }

  /** A copy of the bytes read from this source. */
  byte[] bytes(TlsSource source) {
    var content = Objects.requireNonNull(contents.get(source)).duplicate();
    var bytes = new byte[content.remaining()];
    content.get(bytes);
    return bytes;
  }
}
