// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.live;

import org.jspecify.annotations.Nullable;

/** The way to a value inside an argument or a variable; written out only where it is wrong. */
public record ValuePath(@Nullable ValuePath parent, String name, int index) {

  public static ValuePath of(String name) {
    return new ValuePath(null, name, -1);
  }

  /** The way to a member of what stands at {@code parent}, or at the root where that is null. */
  public static ValuePath below(@Nullable ValuePath parent, String name) {
    return new ValuePath(parent, name, -1);
  }

  public ValuePath member(String member) {
    return new ValuePath(this, member, -1);
  }

  public ValuePath element(int element) {
    return new ValuePath(this, "", element);
  }

  @Override
  public String toString() {
    var before = parent == null ? "" : parent.toString();
    if (index >= 0) {
      return before + "[" + index + "]";
    }
    return before.isEmpty() ? name : before + "." + name;
  }
}
