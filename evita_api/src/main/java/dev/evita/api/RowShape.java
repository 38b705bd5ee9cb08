// SPDX-License-Identifier: Apache-2.0
package dev.evita.api;

import java.util.List;

/** The slots of a row, in the order of the operation's outputs. */
public record RowShape(List<Slot> slots) {

  /** No slots. */
  public static final RowShape NONE = new RowShape(List.of());

  /** A slot. */
  public sealed interface Slot {
    /** The column's name; the relationship's; or that of an aggregate. */
    String name();
  }

  /** A value of a type. */
  public record ValueSlot(String name, DataType type) implements Slot {}

  /** Related rows. */
  public record NestedSlot(String name, boolean single, RowShape shape) implements Slot {}

  public RowShape {
    slots = List.copyOf(slots);
  }
}
