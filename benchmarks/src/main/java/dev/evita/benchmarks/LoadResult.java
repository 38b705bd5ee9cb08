// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks;

/**
 * The result of a closed loop: each connection or user sends a request once it has the response to
 * the one before.
 *
 * @param requests that were answered, failures included
 * @param failed without a response, or with a status of 400 or more
 * @param unfinished at most so many requests were in flight when the load ended
 * @param clientMicros processor time of the client
 */
record LoadResult(
    long requests,
    long failed,
    long unfinished,
    double perSecond,
    double clientMicros,
    Latency latency) {

  /** Latencies of all requests, in milliseconds. */
  record Latency(
      double min, double max, double mean, double median, double p90, double p95, double p99) {}

  long succeeded() {
    return requests - failed;
  }

  double errorPercent() {
    return requests == 0 ? 100 : 100.0 * failed / requests;
  }
}
