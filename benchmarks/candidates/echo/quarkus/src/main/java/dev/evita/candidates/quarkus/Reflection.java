// SPDX-License-Identifier: Apache-2.0
package dev.evita.candidates.quarkus;

import io.quarkus.runtime.annotations.RegisterForReflection;

/** What the document cache finds by name, for a native image. */
@RegisterForReflection(
    classNames = {
      "com.github.benmanes.caffeine.cache.PSMS",
      "com.github.benmanes.caffeine.cache.SSMS"
    })
final class Reflection {

  private Reflection() {}
}
