// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.run;

import dev.evita.engine.jdbc.dialect.Dialect;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Splits a script into statements at the semicolons that end one: not those in quotes, comments,
 * dollar quotes, or bodies between {@code BEGIN} and {@code END} of a trigger or an SQL-standard
 * routine.
 */
final class ScriptSplitter {

  /**
   * A statement of a script.
   *
   * @param text without the semicolon
   * @param keyword its first word, in upper case
   * @param parameters the number of {@code ?}
   */
  record Part(String text, String keyword, int parameters) {

    private static final Set<String> READS =
        Set.of("SELECT", "VALUES", "TABLE", "EXPLAIN", "SHOW", "HELP", "PRAGMA", "(");
    private static final Set<String> ROWS =
        Set.of("INSERT", "UPDATE", "DELETE", "MERGE", "UPSERT", "REPLACE", "COPY", "CALL");
    private static final Set<String> SESSION =
        Set.of(
            "BEGIN",
            "START",
            "COMMIT",
            "END",
            "ROLLBACK",
            "SAVEPOINT",
            "RELEASE",
            "ABORT",
            "SET",
            "RESET",
            "USE",
            "PRAGMA",
            "ATTACH",
            "DETACH",
            "LISTEN",
            "UNLISTEN",
            "PREPARE",
            "DEALLOCATE",
            "DISCARD",
            "DECLARE",
            "FETCH",
            "CLOSE",
            "LOCK");
    private static final Set<String> BOUNDARIES =
        Set.of("BEGIN", "START", "COMMIT", "END", "ROLLBACK", "ABORT");
    private static final Pattern WRITING_QUERY =
        Pattern.compile(
            "\\b(insert\\s+into|update|delete\\s+from|merge\\s+into|(final|old|new)\\s+table)\\b",
            Pattern.CASE_INSENSITIVE);

    /** Whether it may change rows. */
    boolean writes() {
      if (READS.contains(keyword)) {
        return keyword.equals("SELECT") && WRITING_QUERY.matcher(text).find();
      }
      if (keyword.equals("WITH")) {
        return WRITING_QUERY.matcher(text).find();
      }
      return !SESSION.contains(keyword);
    }

    /** Whether it may change the schema. */
    boolean definesSchema() {
      return !READS.contains(keyword)
          && !ROWS.contains(keyword)
          && !SESSION.contains(keyword)
          && !keyword.equals("WITH");
    }

    /** Whether it may change the state of the session. */
    boolean changesSession() {
      return SESSION.contains(keyword);
    }

    /** Whether it begins or ends a transaction. */
    boolean boundsTransaction() {
      return BOUNDARIES.contains(keyword);
    }
  }

  private final String text;
  private final boolean dollarQuotes;
  private final boolean bodies;
  private final boolean doubledQuestionMark;
  private final List<Part> parts = new ArrayList<>();
  private final StringBuilder word = new StringBuilder();
  private int position;
  private int start;
  private int parameters;
  private int depth;
  private boolean begun;
  private boolean create;
  private boolean trigger;
  private String keyword = "";
  private String previousWord = "";

  private ScriptSplitter(String text, Dialect dialect) {
    this.text = text;
    this.dollarQuotes = dialect.scripts().dollarQuotes();
    this.bodies = dialect.scripts().triggerBodies();
    this.doubledQuestionMark = dialect.scripts().doubledQuestionMark();
  }

  static List<Part> split(String text, Dialect dialect) {
    var splitter = new ScriptSplitter(text, dialect);
    splitter.run();
    return List.copyOf(splitter.parts);
  }

  private void run() {
    while (position < text.length()) {
      step(text.charAt(position));
    }
    endWord();
    endStatement();
  }

  private void step(char c) {
    if (Character.isLetterOrDigit(c) || c == '_') {
      word.append(c);
      position++;
      return;
    }
    if (c == '$' && dollarQuotes && word.isEmpty() && skipDollarQuoted()) {
      return;
    }
    var escapes = word.length() == 1 && Character.toUpperCase(word.charAt(0)) == 'E';
    endWord();
    switch (c) {
      case '\'' -> skipQuoted(c, escapes && dollarQuotes);
      case '"', '`' -> skipQuoted(c, false);
      case '-' -> skipLineComment();
      case '/' -> skipBlockComment();
      case '?' -> questionMark();
      case ';' -> semicolon();
      case '(' -> {
        keyword = keyword.isEmpty() ? "(" : keyword;
        position++;
      }
      default -> position++;
    }
  }

  private void endWord() {
    if (word.isEmpty()) {
      return;
    }
    var upper = word.toString().toUpperCase(Locale.ROOT);
    word.setLength(0);
    if (keyword.isEmpty() || keyword.equals("(")) {
      keyword = upper;
      create = upper.equals("CREATE");
    } else if (create) {
      trigger |= upper.equals("TRIGGER");
      body(upper);
    }
    previousWord = upper;
  }

  /** Tracks the nesting of a body: {@code BEGIN ... CASE ... END ... END}. */
  private void body(String upper) {
    if (upper.equals("BEGIN") && bodies && trigger) {
      begun = true;
      depth++;
    } else if (upper.equals("ATOMIC") && previousWord.equals("BEGIN")) {
      begun = true;
      depth++;
    } else if (begun && upper.equals("CASE")) {
      depth++;
    } else if (begun && upper.equals("END")) {
      depth--;
    }
  }

  private void questionMark() {
    if (doubledQuestionMark && text.startsWith("??", position)) {
      position += 2;
      return;
    }
    parameters++;
    position++;
  }

  private void semicolon() {
    if (depth <= 0) {
      endStatement();
      start = position + 1;
    }
    position++;
  }

  private void endStatement() {
    var statement = text.substring(start, Math.min(position, text.length())).strip();
    if (!keyword.isEmpty()) {
      parts.add(new Part(statement, keyword, parameters));
    }
    keyword = "";
    previousWord = "";
    parameters = 0;
    depth = 0;
    begun = false;
    create = false;
    trigger = false;
  }

  private void skipQuoted(char quote, boolean backslashes) {
    position++;
    while (position < text.length()) {
      var c = text.charAt(position++);
      if (backslashes && c == '\\') {
        position++;
      } else if (c == quote) {
        return;
      }
    }
  }

  private void skipLineComment() {
    if (!text.startsWith("--", position)) {
      position++;
      return;
    }
    var end = text.indexOf('\n', position);
    position = end < 0 ? text.length() : end;
  }

  private void skipBlockComment() {
    if (!text.startsWith("/*", position)) {
      position++;
      return;
    }
    var nested = 0;
    do {
      if (text.startsWith("/*", position)) {
        nested = bodies ? 1 : nested + 1;
        position += 2;
      } else if (text.startsWith("*/", position)) {
        nested--;
        position += 2;
      } else {
        position++;
      }
    } while (nested > 0 && position < text.length());
  }

  /** Skips {@code $$ ... $$} or {@code $tag$ ... $tag$}; returns false if there is none. */
  private boolean skipDollarQuoted() {
    var end = position + 1;
    while (end < text.length()
        && (Character.isLetterOrDigit(text.charAt(end)) || text.charAt(end) == '_')) {
      end++;
    }
    if (end >= text.length() || text.charAt(end) != '$') {
      return false;
    }
    var tag = text.substring(position, end + 1);
    var close = text.indexOf(tag, end + 1);
    position = close < 0 ? text.length() : close + tag.length();
    return true;
  }
}
