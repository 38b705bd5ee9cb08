// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.run;

import dev.evita.engine.jdbc.dialect.Dialect;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

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
   * @param start the offset of the text in the script
   * @param changesRows whether words of a query change rows, or create a table of its rows
   * @param createsTable whether a query creates a table of its rows
   * @param words its words outside texts and comments, if they were requested
   */
  record Part(
      String text,
      String keyword,
      int parameters,
      int start,
      boolean changesRows,
      boolean createsTable,
      List<Word> words) {

    private static final Set<String> READS =
        Set.of("SELECT", "WITH", "VALUES", "TABLE", "EXPLAIN", "SHOW", "HELP", "PRAGMA", "(");
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

    private boolean isQuery() {
      return READS.contains(keyword);
    }

    /** Whether it may change rows. */
    boolean writes() {
      return isQuery() ? changesRows : !SESSION.contains(keyword);
    }

    /** Whether it may change the schema. */
    boolean definesSchema() {
      return isQuery() ? createsTable : !ROWS.contains(keyword) && !SESSION.contains(keyword);
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

  /**
   * A word of a statement.
   *
   * @param text in upper case; of a quoted name, with the first quote, so that it equals no keyword
   * @param at its offset in the script
   * @param group the innermost parentheses around it
   * @param qualified whether a dot precedes it
   * @param call whether an opening parenthesis follows
   */
  record Word(String text, int at, Group group, boolean qualified, boolean call) {

    /** The text without a quote. */
    String name() {
      return QUOTES.indexOf(text.charAt(0)) < 0 ? text : text.substring(1);
    }

    private Word asCall() {
      return new Word(text, at, group, qualified, true);
    }
  }

  /** The quotes of names. */
  private static final String QUOTES = "\"`";

  /** The words before {@code into} in an insert or merge, also those of SQLite. */
  private static final Set<String> BEFORE_INTO =
      Set.of("INSERT", "MERGE", "REPLACE", "IGNORE", "ABORT", "FAIL", "ROLLBACK");

  /** What {@code explain analyze} would execute, besides the words that change rows in a query. */
  private static final Set<String> EXPLAINED_WRITES =
      Set.of("CREATE", "REFRESH", "EXECUTE", "DELETE");

  /** The token before the position, but for white space and comments. */
  private enum Token {
    WORD,
    DOT,
    OTHER
  }

  /** A pair of parentheses, compared by identity; without an outer one, the statement. */
  static final class Group {
    private final @Nullable Group outer;

    Group(@Nullable Group outer) {
      this.outer = outer;
    }

    /** Null for the statement itself. */
    @Nullable Group outer() {
      return outer;
    }
  }

  private final String text;
  private final boolean keepsWords;
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
  private boolean changesRows;
  private boolean createsTable;
  private String previousWord = "";
  private Token previousToken = Token.OTHER;
  private Group group = new Group(null);
  private List<Word> words = new ArrayList<>();

  private ScriptSplitter(String text, Dialect dialect, boolean keepsWords) {
    this.text = text;
    this.keepsWords = keepsWords;
    this.dollarQuotes = dialect.scripts().dollarQuotes();
    this.bodies = dialect.scripts().triggerBodies();
    this.doubledQuestionMark = dialect.scripts().doubledQuestionMark();
  }

  static List<Part> split(String text, Dialect dialect) {
    return split(text, dialect, false);
  }

  /**
   * Splits a script.
   *
   * @param keepsWords whether to return the words of each statement
   */
  static List<Part> split(String text, Dialect dialect, boolean keepsWords) {
    var splitter = new ScriptSplitter(text, dialect, keepsWords);
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
    if (isWordPart(c)) {
      word.append(c);
      position++;
      return;
    }
    if (c == '$' && dollarQuotes && skipDollarQuoted()) {
      previousToken = Token.OTHER;
      return;
    }
    var escapes = word.length() == 1 && Character.toUpperCase(word.charAt(0)) == 'E';
    endWord();
    switch (c) {
      case '\'' -> {
        skipQuoted(c, escapes && dollarQuotes);
        previousToken = Token.OTHER;
      }
      case '"', '`' -> quotedName(c);
      case '-' -> skipLineComment();
      case '/' -> skipBlockComment();
      case '?' -> questionMark();
      case ';' -> semicolon();
      case '(' -> open();
      case ')' -> {
        var outer = group.outer();
        group = outer == null ? group : outer;
        symbol(Token.OTHER);
      }
      case '.' -> symbol(Token.DOT);
      default -> {
        if (isBlank(c)) {
          position++;
        } else {
          symbol(Token.OTHER);
        }
      }
    }
  }

  /** Databases accept more in names than letters and digits, at least outside ASCII. */
  private boolean isWordPart(char c) {
    return Character.isLetterOrDigit(c)
        || c == '_'
        || (c == '$' && !word.isEmpty())
        || (c > 127 && !isBlank(c));
  }

  private static boolean isBlank(char c) {
    return Character.isWhitespace(c) || Character.isSpaceChar(c);
  }

  private void symbol(Token token) {
    previousToken = token;
    position++;
  }

  private void open() {
    keyword = keyword.isEmpty() ? "(" : keyword;
    if (keepsWords && previousToken == Token.WORD) {
      words.set(words.size() - 1, words.getLast().asCall());
    }
    group = new Group(group);
    symbol(Token.OTHER);
  }

  private void quotedName(char quote) {
    var at = position;
    skipQuoted(quote, false);
    if (keepsWords) {
      var end = Math.max(at + 1, position - 1);
      var name = text.substring(at, end).toUpperCase(Locale.ROOT);
      words.add(new Word(name, at, group, previousToken == Token.DOT, false));
    }
    previousWord = "";
    previousToken = Token.WORD;
  }

  private void endWord() {
    if (word.isEmpty()) {
      return;
    }
    var upper = word.toString().toUpperCase(Locale.ROOT);
    if (keepsWords) {
      var qualified = previousToken == Token.DOT;
      words.add(new Word(upper, position - word.length(), group, qualified, false));
    }
    previousToken = Token.WORD;
    word.setLength(0);
    effects(upper);
    if (keyword.isEmpty() || keyword.equals("(")) {
      keyword = upper;
      create = upper.equals("CREATE");
    } else if (create) {
      trigger |= upper.equals("TRIGGER");
      body(upper);
    }
    previousWord = upper;
  }

  /** Notes what a query does besides reading: {@code with d as (delete from t ...) select ...}. */
  private void effects(String upper) {
    changesRows |=
        switch (upper) {
          case "UPDATE", "INTO" -> true;
          case "FROM" -> previousWord.equals("DELETE");
          case "TABLE" ->
              previousWord.equals("FINAL")
                  || previousWord.equals("OLD")
                  || previousWord.equals("NEW");
          default -> keyword.equals("EXPLAIN") && EXPLAINED_WRITES.contains(upper);
        };
    createsTable |= upper.equals("INTO") && !BEFORE_INTO.contains(previousWord);
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
      position++;
      symbol(Token.OTHER);
      return;
    }
    parameters++;
    symbol(Token.OTHER);
  }

  private void semicolon() {
    if (depth <= 0) {
      endStatement();
      start = position + 1;
    }
    position++;
  }

  private void endStatement() {
    var whole = text.substring(start, Math.min(position, text.length()));
    if (!keyword.isEmpty()) {
      var blank = whole.length() - whole.stripLeading().length();
      parts.add(
          new Part(
              whole.strip(), keyword, parameters, start + blank, changesRows, createsTable, words));
      words = new ArrayList<>();
    }
    group = new Group(null);
    keyword = "";
    previousWord = "";
    previousToken = Token.OTHER;
    changesRows = false;
    createsTable = false;
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
      symbol(Token.OTHER);
      return;
    }
    var end = text.indexOf('\n', position);
    position = end < 0 ? text.length() : end;
  }

  private void skipBlockComment() {
    if (!text.startsWith("/*", position)) {
      symbol(Token.OTHER);
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
