// SPDX-License-Identifier: Apache-2.0
package dev.evita.api;

import org.jspecify.annotations.Nullable;

/**
 * The one exception of the contract.
 *
 * <p>Its message is public: it may leave the process, so it names what the caller sent and what was
 * expected, and never SQL, a path or a host. The cause is for the log only.
 */
public final class EvitaException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final ErrorCode code;
  private final @Nullable String details;
  private final @Nullable String hint;

  public EvitaException(ErrorCode code, String publicMessage) {
    this(code, publicMessage, null);
  }

  public EvitaException(ErrorCode code, String publicMessage, @Nullable Throwable cause) {
    this(code, publicMessage, null, null, cause);
  }

  /**
   * With more than the message says, all of which is as public.
   *
   * @param details the case in point, such as the key that exists
   * @param hint the remedy
   */
  public EvitaException(
      ErrorCode code,
      String publicMessage,
      @Nullable String details,
      @Nullable String hint,
      @Nullable Throwable cause) {
    // A user's mistake is an answer, not an incident: it needs no stack trace and must stay cheap.
    super(publicMessage, cause, true, code.category() != ErrorCode.Category.USER);
    this.code = code;
    this.details = details;
    this.hint = hint;
  }

  /** Why it failed. */
  public ErrorCode code() {
    return code;
  }

  /** What may be told to the caller. */
  public String publicMessage() {
    return String.valueOf(getMessage());
  }

  /** The case in point; null if nothing more is known. May be told to the caller. */
  public @Nullable String details() {
    return details;
  }

  /** The remedy; null if the database names none. May be told to the caller. */
  public @Nullable String hint() {
    return hint;
  }

  /** The failure itself if it is one of ours, else {@code INTERNAL} with nothing but that word. */
  public static EvitaException from(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof EvitaException evita) {
        return evita;
      }
    }
    return new EvitaException(
        ErrorCode.INTERNAL, "Internal error; the server's log tells more", failure);
  }
}
