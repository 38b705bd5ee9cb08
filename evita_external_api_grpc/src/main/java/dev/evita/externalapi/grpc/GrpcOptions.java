// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc;

import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.limits.Description;

/**
 * The configuration of gRPC. Immutable; each configuration key is a component's name in kebab-case.
 */
public record GrpcOptions(
    @Description("Whether clients may read services and messages, by reflection and as files.")
        boolean grpcReflection) {

  /** The default configuration, with reflection. */
  public static final GrpcOptions DEFAULT = builder().build();

  /** Returns a builder that starts from {@link #DEFAULT}. */
  public static Builder builder() {
    return new Builder();
  }

  /** Returns a builder that starts from these values. */
  public Builder toBuilder() {
    return new Builder(this);
  }

  /** Sets each component by its name. Not thread-safe. */
  public static final class Builder {
    private boolean grpcReflection = true;

    private Builder() {}

    private Builder(GrpcOptions from) {
      grpcReflection = from.grpcReflection;
    }

    public Builder grpcReflection(boolean value) {
      grpcReflection = value;
      return this;
    }

    /**
     * Builds the {@link GrpcOptions}.
     *
     * @throws EvitaException {@code INVALID_CONFIGURATION} if a value is out of its range; the
     *     message names the key
     */
    public GrpcOptions build() {
      return new GrpcOptions(grpcReflection);
    }
  }
}
