// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.subscriptions;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a subscription answered: one for all who asked the same. Immutable, though it does not copy.
 */
public final class SubscriptionResult {

  private static final int ID_BYTES = 16;

  private final byte[] json;
  private final @Nullable String position;

  /**
   * @param position where a stream goes on after it; null for a live query
   */
  SubscriptionResult(byte[] json, @Nullable String position) {
    this.json = json;
    this.position = position;
  }

  /** The result as GraphQL has it, {@code {"data":...}}. Not to be changed. */
  public byte[] json() {
    return json;
  }

  public boolean isSame(SubscriptionResult other) {
    return Objects.equals(position, other.position) && Arrays.equals(json, other.json);
  }

  /** What a client says to go on after this: the position, or a hash of what it has seen. */
  public String id() {
    if (position != null) {
      return position;
    }
    try {
      var hash = MessageDigest.getInstance("SHA-256").digest(json);
      return HexFormat.of().formatHex(hash, 0, ID_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JVM has SHA-256", e);
    }
  }
}
