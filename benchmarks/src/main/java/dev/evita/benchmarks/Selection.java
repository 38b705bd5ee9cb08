// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import picocli.CommandLine.Option;

/** Which servers are compared, and where the results go: options of each comparison. */
final class Selection {

  /** Whether parsed documents are kept. */
  enum Documents {
    PUBLISHED,
    CACHED,
    BOTH
  }

  @Option(
      names = "--candidates",
      split = ",",
      description = "which of them, by their names here (default: all): ${COMPLETION-CANDIDATES}")
  private List<Candidate> candidates = List.of(Candidate.values());

  @Option(
      names = "--documents",
      description =
          "parsed for each request as published, cached, or both (default: ${DEFAULT-VALUE}):"
              + " ${COMPLETION-CANDIDATES}")
  private Documents documents = Documents.BOTH;

  @Option(
      names = "--results",
      description = "where the results are written (default: ${DEFAULT-VALUE})")
  private Path results = Path.of("results");

  /**
   * Those that can be run.
   *
   * @throws RefusedException if there are none
   */
  List<Contestant> contestants() {
    var contestants = all();
    if (contestants.isEmpty()) {
      throw new RefusedException(
          "none of --candidates " + candidates + " can be run: " + notRun() + "; expected one");
    }
    return contestants;
  }

  private List<Contestant> all() {
    return Contestant.of(
        candidates,
        switch (documents) {
          case PUBLISHED -> Set.of(false);
          case CACHED -> Set.of(true);
          case BOTH -> Set.of(false, true);
        });
  }

  /**
   * Creates the report of this name, including candidates that were not selected or cannot run
   * here, with the reason.
   */
  Report report(String name, String title, Map<String, Object> settings)
      throws IOException, InterruptedException {
    var all = new LinkedHashMap<>(settings);
    all.put("candidates", candidates);
    all.put("documents", documents);
    return new Report(results, name, title, all, notRun());
  }

  private Map<String, String> notRun() {
    var notRun = new TreeMap<String, String>();
    for (var candidate : Candidate.values()) {
      if (candidates.contains(candidate)) {
        candidate.missing().ifPresent(reason -> notRun.put(candidate.title(), reason));
      } else {
        notRun.put(candidate.title(), Report.NOT_SELECTED);
      }
    }
    return notRun;
  }
}
