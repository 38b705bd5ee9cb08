// SPDX-License-Identifier: Apache-2.0
package dev.evita.api;

import org.jspecify.annotations.Nullable;

/**
 * The only exception type of the contract.
 *
 * <p>Its message is public: it may leave the process, so it contains the caller's input and the
 * expected form, but never SQL, a path or a host. The cause is for the log only.
 */
public final class EvitaException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /**
   * The reason of a failure: an {@link ErrorCode} of the contract between engines and protocols, or
   * a code of a protocol. An engine may have codes of its own: protocols map these by their
   * category, and show those of the category {@code INTERNAL} as {@code INTERNAL}. Implemented by
   * enums; the names of all of them are distinct.
   */
  public interface Code {

    /** The name that clients see. */
    String name();

    /** The party that can remove the cause. */
    ErrorCode.Category category();
  }

  private final Code code;
  private final @Nullable String details;
  private final @Nullable String hint;

  public EvitaException(Code code, String publicMessage) {
    this(code, publicMessage, null);
  }

  public EvitaException(Code code, String publicMessage, @Nullable Throwable cause) {
    this(code, publicMessage, null, null, cause);
  }

  /**
   * Creates an exception with details beyond the message, all of which are equally public.
   *
   * @param details the specific case, such as the key that exists
   * @param hint the remedy
   */
  public EvitaException(
      Code code,
      String publicMessage,
      @Nullable String details,
      @Nullable String hint,
      @Nullable Throwable cause) {
    // User errors are expected results: they need no stack trace and must be cheap.
    super(publicMessage, cause, true, code.category() != ErrorCode.Category.USER);
    this.code = code;
    this.details = details;
    this.hint = hint;
  }

  /** The reason of the failure. */
  public Code code() {
    return code;
  }

  /** The message that may be sent to the client. */
  public String publicMessage() {
    return String.valueOf(getMessage());
  }

  /** The specific case; null if unknown. May be sent to the client. */
  public @Nullable String details() {
    return details;
  }

  /** The remedy; null if the database gives none. May be sent to the client. */
  public @Nullable String hint() {
    return hint;
  }

  /**
   * Returns the failure itself if it is an {@code EvitaException}, else {@code INTERNAL} without
   * details.
   */
  public static EvitaException from(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof EvitaException evita) {
        return evita;
      }
    }
    return new EvitaException(ErrorCode.INTERNAL, "Internal error; see the server's log", failure);
  }
}
