// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.request;

import dev.evita.api.Column;
import dev.evita.api.DataType;
import dev.evita.api.Output;
import dev.evita.externalapi.rest.model.RestFailure;
import java.util.ArrayList;
import java.util.List;

/**
 * A path from a row to a column or into its JSON.
 *
 * <pre>
 *   field = column { "-&gt;" step } [ "-&gt;&gt;" step ]
 *   step  = whole number | name of a member
 * </pre>
 *
 * @param column the column's API name
 * @param steps into its JSON; empty for the column itself
 * @param text whether the result is the text of the value
 */
public record FieldPath(String column, List<Output.Step> steps, boolean text) {

  private static final String ARROW = "->";
  private static final int MOST_STEPS = 50;
  private static final int MOST_DIGITS = 9;

  public FieldPath {
    steps = List.copyOf(steps);
  }

  /** Parses a parameter's name, which may be in double quotes. */
  static FieldPath named(String text) {
    if (!text.contains(ARROW) && !text.startsWith("\"")) {
      return new FieldPath(text, List.of(), false);
    }
    var cursor = new TextScanner(RestFailure.shortened(text), text);
    var field = read(cursor, "");
    if (!cursor.atEnd()) {
      throw cursor.failure("expected '->', '->>' or the end");
    }
    return field;
  }

  /**
   * Parses a path.
   *
   * @param stops the characters that end it
   */
  static FieldPath read(TextScanner cursor, String stops) {
    var column = cursor.name(stops, ARROW);
    var steps = new ArrayList<Output.Step>();
    var text = false;
    while (!text && cursor.take(ARROW)) {
      text = cursor.take(">");
      steps.add(step(cursor, stops));
      if (steps.size() > MOST_STEPS) {
        throw cursor.failure("a path has at most " + MOST_STEPS + " steps");
      }
    }
    if (cursor.comes(ARROW)) {
      throw cursor.failure(
          "'->>' returns text, which has no members; use '->' before the last step");
    }
    return new FieldPath(column, steps, text);
  }

  private static Output.Step step(TextScanner cursor, String stops) {
    var quoted = cursor.peek() == '"';
    // No hint can follow a path, so a member's name may contain the hint character.
    var name = cursor.name(stops.replace("!", ""), ARROW);
    return !quoted && isIndex(name)
        ? new Output.Step.Element(Integer.parseInt(name))
        : new Output.Step.Member(name);
  }

  private static boolean isIndex(String name) {
    var digits = name.startsWith("-") ? name.substring(1) : name;
    return !digits.isEmpty()
        && digits.length() <= MOST_DIGITS
        && digits.chars().allMatch(c -> c >= '0' && c <= '9');
  }

  public boolean isColumn() {
    return steps.isEmpty();
  }

  /** Returns its name in a response: the last member of the path. */
  public String name() {
    for (int i = steps.size() - 1; i >= 0; i--) {
      if (steps.get(i) instanceof Output.Step.Member(var name)) {
        return name;
      }
    }
    return column;
  }

  public Output.Single of(Column stored) {
    return isColumn()
        ? new Output.Column(stored.name())
        : new Output.Path(stored.name(), steps, text);
  }

  public DataType type(Column stored) {
    return isColumn() ? stored.type() : text ? DataType.Scalar.TEXT : DataType.Scalar.JSON;
  }

  /** Appends an unambiguous representation. */
  void mark(StringBuilder shape) {
    ReadQuery.text(shape, column);
    for (var step : steps) {
      shape.append('>');
      ReadQuery.text(shape, step.toString());
    }
    shape.append(text ? ">>" : "");
  }
}
