// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.request;

import dev.evita.externalapi.rest.model.RestFailure;

/** Reads a text from left to right, and says where it stopped where that was too early. */
final class TextScanner {

  private static final char END = '\0';

  private final String parameter;
  private final String text;
  private int position;

  /**
   * @param parameter the query parameter that holds the text, for messages
   */
  TextScanner(String parameter, String text) {
    this.parameter = parameter;
    this.text = text;
  }

  boolean atEnd() {
    return position == text.length();
  }

  /** The next character; NUL at the end. */
  char peek() {
    return atEnd() ? END : text.charAt(position);
  }

  /** Whether this comes next. */
  boolean comes(String expected) {
    return text.startsWith(expected, position);
  }

  /** Takes this character or text if it comes next. */
  boolean take(String expected) {
    if (comes(expected)) {
      position += expected.length();
      return true;
    }
    return false;
  }

  /** Takes what must come next. */
  void require(String expected) {
    if (!take(expected)) {
      throw failure("expected '" + expected + "'");
    }
  }

  /** Takes blanks, if any come next. */
  void skipBlanks() {
    while (peek() == ' ') {
      position++;
    }
  }

  /** Takes this word if it comes next, and then an opening parenthesis, which is left. */
  boolean takeBefore(String word, String opening) {
    var start = position;
    if (take(word)) {
      skipBlanks();
      if (comes(opening)) {
        return true;
      }
      position = start;
    }
    return false;
  }

  /**
   * Takes a value up to one of these characters. Quotes that do not hold all of it belong to it, as
   * in {@code 5"}.
   */
  String value(String stops) {
    var start = position;
    if (peek() == '"' && text.indexOf('"', position + 1) > 0) {
      var value = quoted();
      skipBlanks();
      if (atEnd() || stops.indexOf(peek()) >= 0) {
        return value;
      }
      position = start;
    }
    return until(stops);
  }

  /** Takes all up to one of these characters, or to the end. */
  String until(String stops) {
    var start = position;
    while (!atEnd() && stops.indexOf(peek()) < 0) {
      position++;
    }
    return text.substring(start, position);
  }

  /** Takes a text in braces with all that stands between them, braces and quotes included. */
  String braced() {
    var start = position;
    var open = 0;
    do {
      if (peek() == '"') {
        quoted();
        continue;
      }
      open += peek() == '{' ? 1 : peek() == '}' ? -1 : 0;
      if (atEnd()) {
        throw failure("a brace is not closed");
      }
      position++;
    } while (open > 0);
    return text.substring(start, position);
  }

  /** Takes the rest. */
  String rest() {
    var start = position;
    position = text.length();
    return text.substring(start);
  }

  /**
   * Takes a name: in double quotes, where a backslash keeps the next character, or up to one of
   * these characters.
   */
  String name(String stops) {
    var name = peek() == '"' ? quoted() : until(stops).strip();
    if (name.isEmpty()) {
      throw failure("expected a name");
    }
    return name;
  }

  /** The same, which also ends where this text comes. */
  String name(String stops, String end) {
    if (peek() == '"') {
      return name(stops);
    }
    var start = position;
    while (!atEnd() && stops.indexOf(peek()) < 0 && !comes(end)) {
      position++;
    }
    var name = text.substring(start, position).strip();
    if (name.isEmpty()) {
      throw failure("expected a name");
    }
    return name;
  }

  /** Takes a text in double quotes, where a backslash keeps the next character. */
  String quoted() {
    require("\"");
    var result = new StringBuilder();
    while (!atEnd()) {
      var c = text.charAt(position++);
      if (c == '"') {
        return result.toString();
      }
      if (c == '\\' && !atEnd()) {
        c = text.charAt(position++);
      }
      result.append(c);
    }
    throw failure("a double quote is not closed");
  }

  /** A failure that shows the place. */
  RestFailure failure(String expected) {
    return RestFailure.malformed(
        "'%s' cannot be read at character %d of '%s': %s"
            .formatted(parameter, position + 1, RestFailure.shortened(text), expected));
  }
}
