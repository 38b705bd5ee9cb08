// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks;

import dev.evita.benchmarks.Candidate.Published;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A candidate in one of its two ways.
 *
 * @param documentCache whether parsed documents are kept (by Evita: plans), or each request's is
 *     parsed, as published
 */
record Contestant(Candidate candidate, boolean documentCache) implements Subject {

  private static final String ANSWER = "{\"data\":{\"echo\":{\"message\":\"hello\"}}}";

  /** The query of the published comparison, byte by byte. */
  static final HttpProbe QUERY =
      HttpProbe.json(
          "/graphql",
          """
          {
            "query": "query Echo {\\n\\techo(message: \\"hello\\") {\\n\\t\\tmessage\\n\\t}\\n}",
            "operationName": "Echo"
          }\
          """);

  /**
   * All that can be run, in the order of the published table.
   *
   * @param documentCaches the ways of all but Evita and the constant, which come as they are
   */
  static List<Contestant> of(List<Candidate> candidates, Set<Boolean> documentCaches) {
    var contestants = new ArrayList<Contestant>();
    for (var candidate : candidates) {
      if (candidate.missing().isPresent()) {
        System.out.println(candidate.title() + ": " + candidate.missing().get());
        continue;
      }
      for (var cache : List.of(false, true)) {
        var contestant = new Contestant(candidate, cache);
        if (contestant.asItIs() || documentCaches.contains(cache) && !contestant.pointless()) {
          contestants.add(contestant);
        }
      }
    }
    return contestants;
  }

  /** Whether it is the product, or what that is held against. */
  private boolean asItIs() {
    return documentCache && (candidate == Candidate.EVITA || candidate == Candidate.CEILING);
  }

  /** A constant takes no documents. */
  private boolean pointless() {
    return candidate == Candidate.CEILING;
  }

  @Override
  public String title() {
    if (asItIs()) {
      return candidate.title();
    }
    if (candidate == Candidate.EVITA) {
      return "Evita, planning each time";
    }
    return candidate.title() + (documentCache ? ", cached" : "");
  }

  @Override
  public String version() throws IOException {
    return candidate.version();
  }

  /** Without a cache. */
  @Override
  public Optional<Published> published() {
    return documentCache ? Optional.empty() : candidate.published();
  }

  @Override
  public ServerProcess start(ServerProcess.Cores cores, List<String> jvm) throws IOException {
    return candidate.start(documentCache, cores, jvm);
  }

  /**
   * A wrong answer may be a fast one.
   *
   * @throws IOException if it answers anything but the echo
   */
  void requireRight(int port) throws IOException, InterruptedException {
    var answer = ResponseCheck.of(port, QUERY);
    if (!answer.equals(ANSWER)) {
      throw new IOException(title() + ": expected " + ANSWER + ", was " + answer);
    }
  }
}
