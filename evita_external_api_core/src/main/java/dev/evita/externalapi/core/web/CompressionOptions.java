// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.web;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.limits.Description;
import dev.evita.externalapi.core.limits.Limits;
import java.util.List;

/**
 * The options of response compression. Each configuration key is a component's name in kebab-case.
 */
public record CompressionOptions(
    @Description(
            "Codings of compressed responses, the preferred one first: zstd, gzip. Default:"
                + " none.")
        List<String> compression,
    @Description("Smallest response that is compressed, in uncompressed bytes.")
        int compressionMinBytes) {

  /** No response is compressed. */
  public static final CompressionOptions NONE = new CompressionOptions(List.of(), 1 << 10);

  public CompressionOptions {
    compression = List.copyOf(compression);
    Limits.requireAtLeast("compression-min-bytes", compressionMinBytes, 0);
    for (var name : compression) {
      if (ContentCoding.named(name) == null) {
        throw new EvitaException(
            ErrorCode.INVALID_CONFIGURATION,
            "compression contains '" + name + "'; expected a list of zstd and gzip");
      }
    }
  }
}
