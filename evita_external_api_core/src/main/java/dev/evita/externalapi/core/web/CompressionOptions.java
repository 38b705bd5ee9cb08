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

  /** No answer is compressed. */
  public static final CompressionOptions NONE = builder().build();

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
    private List<String> compression = List.of();
    private int compressionMinBytes = 1 << 10;

    private Builder() {}

    private Builder(CompressionOptions from) {
      compression = from.compression;
      compressionMinBytes = from.compressionMinBytes;
    }

    public Builder compression(List<String> value) {
      compression = value;
      return this;
    }

    public Builder compressionMinBytes(int value) {
      compressionMinBytes = value;
      return this;
    }

    /**
     * Builds the {@link CompressionOptions}.
     *
     * @throws EvitaException {@code INVALID_CONFIGURATION} if a value is out of its range; the
     *     message names the key
     */
    public CompressionOptions build() {
      return new CompressionOptions(compression, compressionMinBytes);
    }
  }
}
