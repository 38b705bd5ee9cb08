// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.live;

/**
 * A row that came to be among those that a feed watches, changed, or left them: one for all who
 * follow the feed. Immutable, though it does not copy.
 */
public final class Change {

  /** What happened to the row, as those see it who follow the feed. */
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

  /** As {@link WatchedRows.Encoder#key} wrote it. Not to be changed. */
  public byte[] key() {
    return key;
  }

  /** As {@link WatchedRows.Encoder#row} wrote it; empty for a deletion. Not to be changed. */
  public byte[] row() {
    return row;
  }
}
