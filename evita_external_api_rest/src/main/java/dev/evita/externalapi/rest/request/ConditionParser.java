// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.request;

import dev.evita.externalapi.core.limits.DepthLimit;
import dev.evita.externalapi.rest.model.RestFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Parses filters, and extracts their values.
 *
 * <pre>
 *   test  = ["not."] operator ["(any)" | "(all)" | "(" language ")"] "." value
 *   logic = "(" member { "," member } ")", with blanks between them
 *   member = ["not."] ("and" | "or") logic | field "." test
 * </pre>
 *
 * <p>A single value extends to the end of its parameter; one in a list ends at a comma or a
 * parenthesis, unless it is in double quotes.
 */
final class ConditionParser {

  private static final Set<String> WORDS = Set.of("null", "not_null", "true", "false", "unknown");
  private static final String VALUE_ENDS = ",)";

  private final StringBuilder shape;
  private final List<Object> values;
  private final DepthLimit nesting;

  /**
   * @param shape receives everything but the values
   * @param values receives the values: texts, and for {@code in} a list of texts
   */
  ConditionParser(StringBuilder shape, List<Object> values, DepthLimit nesting) {
    this.shape = shape;
    this.values = values;
    this.nesting = nesting;
  }

  /** Parses a filter on a column: {@code id=eq.1}. */
  Condition test(String parameter, String field, String text) {
    return test(new TextScanner(parameter, text), FieldPath.named(field), true);
  }

  /** Parses a combined filter: {@code or=(id.eq.1,id.eq.2)}. */
  Condition logic(String parameter, boolean negated, boolean all, String text) {
    var cursor = new TextScanner(parameter, text);
    var group = group(cursor, negated, all, 1);
    if (!cursor.atEnd()) {
      throw cursor.failure("nothing is expected behind the last parenthesis");
    }
    return group;
  }

  private Condition group(TextScanner cursor, boolean negated, boolean all, int depth) {
    nesting.require("filter", depth);
    cursor.require("(");
    shape.append(negated ? "!" : "").append(all ? "&(" : "|(");
    var members = new ArrayList<Condition>();
    do {
      cursor.skipBlanks();
      members.add(member(cursor, depth));
      cursor.skipBlanks();
    } while (cursor.take(","));
    cursor.require(")");
    shape.append(')');
    return new Condition.Group(negated, all, members);
  }

  private Condition member(TextScanner cursor, int depth) {
    for (var all : new boolean[] {true, false}) {
      var word = all ? "and" : "or";
      var negated = cursor.takeBefore("not." + word, "(");
      if (negated || cursor.takeBefore(word, "(")) {
        return group(cursor, negated, all, depth + 1);
      }
    }
    var field = FieldPath.read(cursor, ".,()");
    cursor.require(".");
    return test(cursor, field, false);
  }

  private Condition test(TextScanner cursor, FieldPath field, boolean alone) {
    var negated = cursor.take("not.");
    var operator = operator(cursor);
    var quantifier = quantifier(cursor, operator);
    var language = language(cursor, operator);
    cursor.require(".");
    field.mark(shape);
    shape
        .append(negated ? '!' : '.')
        .append(operator.text())
        .append(quantifier == Condition.Quantifier.ONE ? "" : quantifier);
    if (language != null) {
      ReadQuery.text(shape, language);
    }
    var first = values.size();
    var word = operator == Operator.IS ? word(cursor, alone) : language;
    if (operator == Operator.IS) {
      shape.append(word);
      if (word != null && (word.equals("true") || word.equals("false"))) {
        values.add(word);
      }
    } else if (operator == Operator.IN) {
      values.add(list(cursor, "(", ")"));
    } else if (quantifier != Condition.Quantifier.ONE) {
      values.addAll(list(cursor, "{", "}"));
      shape.append(values.size() - first);
    } else {
      values.add(alone ? cursor.rest() : member(cursor));
    }
    if (alone && !cursor.atEnd()) {
      throw cursor.failure("nothing is expected behind the list");
    }
    shape.append(';');
    return new Condition.Test(
        field, negated, operator, quantifier, word, first, values.size() - first);
  }

  private static Operator operator(TextScanner cursor) {
    var name = cursor.until(".(,)");
    var operator = Operator.named(name);
    if (operator == null) {
      throw cursor.failure(
          "'" + RestFailure.shortened(name) + "' is no operator; expected one such as eq, in, is");
    }
    return operator;
  }

  private static @Nullable String language(TextScanner cursor, Operator operator) {
    if (!cursor.take("(")) {
      return null;
    }
    if (operator.search() == null) {
      throw cursor.failure("'" + operator.text() + "' takes nothing of this in parentheses");
    }
    var language = cursor.name(")");
    cursor.require(")");
    return language;
  }

  private static Condition.Quantifier quantifier(TextScanner cursor, Operator operator) {
    if (operator.quantifiable()) {
      if (cursor.take("(any)")) {
        return Condition.Quantifier.ANY;
      }
      if (cursor.take("(all)")) {
        return Condition.Quantifier.ALL;
      }
    }
    return Condition.Quantifier.ONE;
  }

  private static String word(TextScanner cursor, boolean alone) {
    var word = (alone ? cursor.rest() : cursor.until(VALUE_ENDS)).toLowerCase(Locale.ROOT);
    if (!WORDS.contains(word)) {
      throw cursor.failure("expected is.null, is.not_null, is.true, is.false or is.unknown");
    }
    return word;
  }

  private static List<String> list(TextScanner cursor, String open, String close) {
    cursor.require(open);
    cursor.skipBlanks();
    var list = new ArrayList<String>();
    if (cursor.take(close)) {
      return list;
    }
    do {
      list.add(cursor.value("," + close));
    } while (cursor.take(","));
    cursor.require(close);
    return list;
  }

  /** An array or an object in a combined filter may contain commas. */
  private static String member(TextScanner cursor) {
    return cursor.peek() == '{' ? cursor.braced() : cursor.value(VALUE_ENDS);
  }
}
