// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks.faults;

/**
 * One request of an operation, and how it ended.
 *
 * @param proxied whether it went through the proxy between clients and server
 * @param answer status and error code, or why there is no answer
 * @param text what the server wrote, for the check of what it discloses; empty for acknowledgements
 * @param beganNanos by {@link System#nanoTime}
 * @param endedNanos by {@link System#nanoTime}
 */
record Attempt(
    RecordedWrite operation,
    boolean proxied,
    Outcome outcome,
    String answer,
    String text,
    long beganNanos,
    long endedNanos) {

  /** The client's knowledge about its write. */
  enum Outcome {
    /** The write is kept. */
    ACKNOWLEDGED,
    /** Nothing is written, says the server. */
    REFUSED,
    /** No answer, or one that says that the outcome is unknown. */
    UNKNOWN
  }

  /** The outcome of a request, without its operation and times. */
  record Reply(Outcome outcome, String answer, String text) {

    static Reply acknowledged(String answer) {
      return new Reply(Outcome.ACKNOWLEDGED, answer, "");
    }

    static Reply unanswered(String reason) {
      return new Reply(Outcome.UNKNOWN, reason, "");
    }

    /** The server answered a failure with this code of its contract. */
    static Reply failed(String status, String code, String text) {
      var unknown =
          switch (code) {
            // The server says so itself, or something between client and server has answered.
            case "COMMIT_UNKNOWN", "CLIENT_GONE", "" -> true;
            default -> false;
          };
      return new Reply(
          unknown ? Outcome.UNKNOWN : Outcome.REFUSED, (status + " " + code).strip(), text);
    }
  }
}
