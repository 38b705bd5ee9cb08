// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.live;

/**
 * The insertion, update or removal of a row among those that a feed watches, shared by all
 * subscribers of the feed. Immutable, though it does not copy.
 */
public final class Change {

  /** The kind of the change, as seen by subscribers of the feed. */
  public enum Kind {
    INSERT,
    UPDATE,
    DELETE
  }

  private static final byte[] NONE = {};

  private final Kind kind;
  private final byte[] key;
  private final byte[] row;

  private Change(Kind kind, byte[] key, byte[] row) {
    this.kind = kind;
    this.key = key;
    this.row = row;
  }

  static Change insert(byte[] key, byte[] row) {
    return new Change(Kind.INSERT, key, row);
  }

  static Change update(byte[] key, byte[] row) {
    return new Change(Kind.UPDATE, key, row);
  }

  static Change delete(byte[] key) {
    return new Change(Kind.DELETE, key, NONE);
  }

  public Kind kind() {
    return kind;
  }

  /** The bytes written by {@link WatchedRows.Encoder#key}. Not to be modified. */
  public byte[] key() {
    return key;
  }

  /**
   * The bytes written by {@link WatchedRows.Encoder#row}; empty for a deletion. Not to be modified.
   */
  public byte[] row() {
    return row;
  }
}
