// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.run;

import dev.evita.api.NativeQuery;
import dev.evita.engine.jdbc.dialect.ScriptRules;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A statement of a native query, with the input in front of it as a common table expression:
 *
 * <pre>
 * select name from users join request on users.handle = request.handle
 * with "REQUEST"("HANDLE") as (select cast(? as varchar))
 *   select name from users join request on users.handle = request.handle
 * </pre>
 *
 * <p>Where the database does not accept {@code with} before an insert, update or delete, the input
 * is in front of each of the statement's queries instead.
 */
final class NativeStatement {

  private static final Set<String> WRITES =
      Set.of("INSERT", "UPDATE", "DELETE", "MERGE", "REPLACE");

  /** Functions of PostgreSQL whose locks are the session's. */
  private static final Set<String> SESSION_LOCKS =
      Set.of(
          "PG_ADVISORY_LOCK",
          "PG_ADVISORY_LOCK_SHARED",
          "PG_TRY_ADVISORY_LOCK",
          "PG_TRY_ADVISORY_LOCK_SHARED");

  private static final ScriptSplitter.Group NONE = new ScriptSplitter.Group(null);

  private final ScriptSplitter.Part part;
  private final String script;
  private final String sql;
  private final boolean writes;
  private final boolean pure;
  private final List<Insertion> insertions = new ArrayList<>();

  /** The input at an offset of the script. */
  private record Insertion(int at, int length) {}

  /**
   * Renders a statement.
   *
   * @param upper whether the database folds names to upper case
   * @param effects the names, in upper case, by which a query may execute a function of the user's
   */
  NativeStatement(
      NativeQuery query,
      ScriptSplitter.Part part,
      ScriptRules rules,
      boolean upper,
      Set<String> effects) {
    this.part = part;
    this.script = query.text();
    this.writes = part.writes();
    this.pure = !writes && part.words().stream().allMatch(word -> isPure(word, rules, effects));
    this.sql = reads(query) ? render(query, rules, upper) : part.text();
  }

  private boolean reads(NativeQuery query) {
    var relation = query.relation().toUpperCase(Locale.ROOT);
    return part.words().stream().anyMatch(word -> word.text().equals(relation));
  }

  private String render(NativeQuery query, ScriptRules rules, boolean upper) {
    var relation = relation(query, rules, upper);
    var sql = new StringBuilder(script.substring(0, part.start() + part.text().length()));
    var grown = 0;
    for (var word : places(rules)) {
      var recursive = word.text().equals("WITH") && isRecursive(word);
      var at =
          word.text().equals("WITH")
              ? word.at() + (recursive ? recursiveLength(word) : 4)
              : word.at();
      var text = word.text().equals("WITH") ? " " + relation + "," : "with " + relation + " ";
      sql.insert(at + grown, text);
      insertions.add(new Insertion(at, text.length()));
      grown += text.length();
    }
    return sql.substring(part.start());
  }

  private static String relation(NativeQuery query, ScriptRules rules, boolean upper) {
    var columns =
        query.inputs().stream()
            .map(input -> name(input.name(), upper))
            .collect(Collectors.joining(", "));
    return "%s(%s) as (%s%s)"
        .formatted(
            name(query.relation(), upper), columns, input(query, rules), rules.inputCondition());
  }

  private static String input(NativeQuery query, ScriptRules rules) {
    var types = query.inputs().stream().map(NativeQuery.Input::type).toList();
    return query.rows() == null
        ? "select " + types.stream().map(rules::input).collect(Collectors.joining(", "))
        : rules.inputRows(types);
  }

  private static String name(String name, boolean upper) {
    return '"' + (upper ? name.toUpperCase(Locale.ROOT) : name) + '"';
  }

  /** The words before which, or after which in case of {@code WITH}, the input is inserted. */
  private List<ScriptSplitter.Word> places(ScriptRules rules) {
    var first =
        part.keyword().equals("(")
            ? new ScriptSplitter.Word(
                "(", part.text().indexOf('(') + part.start(), NONE, false, false)
            : part.words().getFirst();
    if (!WRITES.contains(part.keyword()) || rules.allowsWithBeforeWrites()) {
      return List.of(first);
    }
    var places = new ArrayList<ScriptSplitter.Word>();
    var covered = Collections.newSetFromMap(new IdentityHashMap<ScriptSplitter.Group, Boolean>());
    for (var word : part.words()) {
      if ((word.text().equals("SELECT") || word.text().equals("WITH"))
          && !isCovered(word.group(), covered)) {
        places.add(word);
        covered.add(word.group());
      }
    }
    return places;
  }

  private static boolean isCovered(
      ScriptSplitter.@Nullable Group group, Set<ScriptSplitter.Group> covered) {
    for (var each = group; each != null; each = each.outer()) {
      if (covered.contains(each)) {
        return true;
      }
    }
    return false;
  }

  private ScriptSplitter.@Nullable Word after(ScriptSplitter.Word word) {
    var next = part.words().indexOf(word) + 1;
    return next < part.words().size() ? part.words().get(next) : null;
  }

  private boolean isRecursive(ScriptSplitter.Word with) {
    var next = after(with);
    return next != null && next.text().equals("RECURSIVE");
  }

  private int recursiveLength(ScriptSplitter.Word with) {
    var next = after(with);
    return next == null ? 0 : next.at() + next.text().length() - with.at();
  }

  /** The text with a placeholder for each input, {@link #inputs} times. */
  String sql() {
    return sql;
  }

  /** How often the inputs occur. */
  int inputs() {
    return insertions.size();
  }

  ScriptSplitter.Part part() {
    return part;
  }

  /** See {@link ScriptSplitter.Part#writes}, which takes longer than many a query. */
  boolean writes() {
    return writes;
  }

  /** A qualified or quoted function may be the user's, even if its name is that of a built-in. */
  private static boolean isPure(ScriptSplitter.Word word, ScriptRules rules, Set<String> effects) {
    return !effects.contains(word.name())
        && (!word.call() || (!word.qualified() && rules.isHarmless(word.text())));
  }

  /** Whether nothing in a query without writes can have an effect, as far as its text shows. */
  boolean isPure() {
    return pure;
  }

  /** Whether it changes the state of the session by a function, as far as its text shows. */
  boolean outlivesTransaction() {
    return outlivesTransaction(part);
  }

  /** The same for any statement with its words. */
  static boolean outlivesTransaction(ScriptSplitter.Part part) {
    return part.words().stream()
        .filter(ScriptSplitter.Word::call)
        .anyMatch(word ->
            SESSION_LOCKS.contains(word.name())
                || (word.name().equals("SET_CONFIG") && !lastArgument(part, word).equals("TRUE")));
  }

  /** The last word of a call's arguments; empty for none. */
  private static String lastArgument(ScriptSplitter.Part part, ScriptSplitter.Word call) {
    ScriptSplitter.Group arguments = null;
    var last = "";
    for (var word : part.words()) {
      if (word.at() > call.at() && arguments == null && word.group().outer() == call.group()) {
        arguments = word.group();
      }
      if (arguments != null && word.group() == arguments) {
        last = word.text();
      }
    }
    return last;
  }

  /**
   * The line of the script, one-based.
   *
   * @param position an offset in {@link #sql}, one-based; 0 for the statement's first word
   */
  int line(int position) {
    var first = part.words().isEmpty() ? part.start() : part.words().getFirst().at();
    var at = position == 0 ? first : part.start() + position - 1;
    for (var insertion : insertions) {
      if (position > 0 && at > insertion.at()) {
        at = Math.max(insertion.at(), at - insertion.length());
      }
    }
    var end = Math.min(at, script.length());
    return 1 + (int) script.substring(0, end).chars().filter(c -> c == '\n').count();
  }
}
