// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.request;

import dev.evita.api.Output;
import dev.evita.externalapi.core.limits.DepthLimit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Parses {@code select}.
 *
 * <pre>
 *   items  = item { "," item }
 *   item   = "*" | [alias ":"] field ["." aggregate "()"] ["::" type] | [alias ":"] "count()"
 *          | ["..."] [alias ":"] relationship { "!" hint } "(" [items] ")"
 * </pre>
 */
final class SelectParser {

  private static final String NAME_ENDS = ":!(),.";

  private final TextScanner cursor;
  private final DepthLimit nesting;

  private SelectParser(TextScanner cursor, DepthLimit nesting) {
    this.cursor = cursor;
    this.nesting = nesting;
  }

  static List<SelectItem> parse(String text, DepthLimit nesting) {
    if (text.isBlank()) {
      return List.of(new SelectItem.All());
    }
    var parser = new SelectParser(new TextScanner("select", text), nesting);
    var items = parser.items(1);
    if (!parser.cursor.atEnd()) {
      throw parser.cursor.failure("expected a comma or the end");
    }
    return items;
  }

  private List<SelectItem> items(int depth) {
    nesting.require("selection", depth);
    var items = new ArrayList<SelectItem>();
    do {
      items.add(item(depth));
    } while (cursor.take(","));
    return items;
  }

  private SelectItem item(int depth) {
    if (cursor.take("*")) {
      return new SelectItem.All();
    }
    var spread = cursor.take("...");
    String alias = null;
    var field = FieldPath.read(cursor, NAME_ENDS);
    if (field.isColumn() && cursor.peek() == ':' && !cursor.comes("::")) {
      cursor.require(":");
      alias = field.column();
      field = FieldPath.read(cursor, NAME_ENDS);
    }
    var name = field.column();
    if (name.equals("count") && cursor.take("()")) {
      return new SelectItem.Value(alias, null, Output.Function.COUNT, cast());
    }
    if (spread || (field.isColumn() && (cursor.peek() == '!' || cursor.peek() == '('))) {
      return embed(alias, name, spread, depth);
    }
    var function = cursor.take(".") ? function() : null;
    return new SelectItem.Value(alias, field, function, cast());
  }

  private SelectItem embed(@Nullable String alias, String name, boolean spread, int depth) {
    var hints = new ArrayList<String>();
    var inner = false;
    while (cursor.take("!")) {
      var hint = cursor.name(NAME_ENDS);
      if (hint.equals("inner")) {
        inner = true;
      } else if (!hint.equals("left")) {
        hints.add(hint);
      }
    }
    cursor.require("(");
    var items = cursor.peek() == ')' ? List.<SelectItem>of() : items(depth + 1);
    cursor.require(")");
    return new SelectItem.Embed(alias, name, hints, inner, spread, items);
  }

  private Output.Function function() {
    var name = cursor.until(NAME_ENDS);
    for (var function : Output.Function.values()) {
      if (function.name().toLowerCase(Locale.ROOT).equals(name)) {
        cursor.require("()");
        return function;
      }
    }
    throw cursor.failure("expected one of count(), sum(), avg(), min() and max() behind the point");
  }

  private @Nullable String cast() {
    return cursor.take("::") ? cursor.name(",)").toLowerCase(Locale.ROOT) : null;
  }
}
