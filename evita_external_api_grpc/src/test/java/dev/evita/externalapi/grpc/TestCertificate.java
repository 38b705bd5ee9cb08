// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc;

import dev.evita.externalapi.core.tls.TlsOptions;
import io.grpc.testing.TlsTesting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The certificate of grpc-java's own tests, for {@code foo.test.google.fr}. */
final class TestCertificate {

  private TestCertificate() {}

  /** TLS by that certificate, which is copied into the folder. */
  static TlsOptions in(Path folder) throws IOException {
    return TlsOptions.builder()
        .tlsCertificate(copy("server1.pem", folder))
        .tlsKey(copy("server1.key", folder))
        .build();
  }

  private static Path copy(String name, Path folder) throws IOException {
    try (var in = TlsTesting.loadCert(name)) {
      return Files.write(folder.resolve(name), in.readAllBytes());
    }
  }
}
