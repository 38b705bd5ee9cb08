// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.live;

import org.jspecify.annotations.Nullable;

/** The way to a value inside an argument or a variable; written out only where it is wrong. */
public record Trail(@Nullable Trail parent, String name, int index) {

  public static Trail of(String name) {
    return new Trail(null, name, -1);
  }

  /** The way to a member of what stands at {@code parent}, or at the root where that is null. */
  public static Trail below(@Nullable Trail parent, String name) {
    return new Trail(parent, name, -1);
  }

  public Trail member(String member) {
    return new Trail(this, member, -1);
  }

  public Trail element(int element) {
    return new Trail(this, "", element);
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
