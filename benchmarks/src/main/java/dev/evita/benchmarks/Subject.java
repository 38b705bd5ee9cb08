// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks;

import dev.evita.benchmarks.Candidate.Published;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** A server that is measured, in one of its ways: a row of a {@link Report}. */
interface Subject {

  /** The name in reports. */
  String title();

  /** The release of what it stands for. */
  String version() throws IOException;

  /** The figures published in 2023. */
  default Optional<Published> published() {
    return Optional.empty();
  }

  /**
   * Starts it and returns once it accepts connections. The caller closes it.
   *
   * @param jvm options, as of its heap
   */
  ServerProcess start(ServerProcess.Cores cores, List<String> jvm) throws IOException;
}
