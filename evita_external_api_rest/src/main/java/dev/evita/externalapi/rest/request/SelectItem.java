// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.request;

import dev.evita.api.Output;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What {@code select} asks for. */
public sealed interface SelectItem {

  /** The embedded resource that clauses call by this alias, or else by its name. */
  static @Nullable Embed embed(List<SelectItem> items, String name) {
    Embed named = null;
    for (var item : items) {
      if (item instanceof Embed embed) {
        if (embed.key().equals(name)) {
          return embed;
        }
        named = named == null && embed.name().equals(name) ? embed : named;
      }
    }
    return named;
  }

  /** All columns. */
  record All() implements SelectItem {}

  /**
   * A column, or an aggregate over it.
   *
   * @param alias null for its own name
   * @param field null for {@code count()} of rows
   * @param function null for the column itself
   * @param cast the type that it is shown as; null for its own
   */
  record Value(
      @Nullable String alias,
      @Nullable FieldPath field,
      Output.@Nullable Function function,
      @Nullable String cast)
      implements SelectItem {}

  /**
   * Related rows.
   *
   * @param alias null for the name
   * @param hints what tells this relationship from others to the same table
   * @param inner whether rows without related rows are left out
   * @param spread whether the related row's members stand among those of this row
   */
  record Embed(
      @Nullable String alias,
      String name,
      List<String> hints,
      boolean inner,
      boolean spread,
      List<SelectItem> items)
      implements SelectItem {
    public Embed {
      hints = List.copyOf(hints);
      items = List.copyOf(items);
    }

    /** The name by which filters and the answer know it. */
    public String key() {
      return alias == null ? name : alias;
    }
  }
}
