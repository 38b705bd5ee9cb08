// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc.proto;

import dev.evita.api.Column;
import dev.evita.api.Relationship;
import dev.evita.api.Schema;
import dev.evita.api.Table;
import java.util.ArrayList;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The comments of a generated file: those of the database, and the original names of objects that
 * are renamed in messages.
 */
final class ProtoComments {

  /**
   * Names of tables that are distinguishable from those of types: {@code order_items}, not {@code
   * t_1}.
   */
  private static final Pattern PLAIN = Pattern.compile("[a-z][a-z0-9]*(_[a-z][a-z0-9]*)*");

  /** Characters that end a line, in some generator's language at least, or are invisible. */
  private static final Pattern UNSEEN = Pattern.compile("[\\p{Cc}\\p{Zl}\\p{Zp}\\p{Cs}&&[^\t]]");

  private ProtoComments() {}

  /** Returns the comment of a file. */
  static String of(Schema schema, String apiName, String packageName, boolean kept) {
    return joined(
        packageName.equals(apiName) ? null : named("Schema", schema.name()),
        kept
            ? "Names of services and numbers of fields stay when tables and columns are added,"
                + " dropped or reordered,\nand numbers also when columns are renamed."
            : "The database keeps no names of services and numbers of fields: they may change with"
                + " its tables and columns.");
  }

  /** Returns the comment of a service, and of its rows. */
  static String of(Table table, String apiName, String base) {
    var plain = PLAIN.matcher(apiName).matches() && ProtoNames.type(apiName).equals(base);
    return joined(plain ? null : named("Table", table.name().table()), table.comment());
  }

  /** Returns the comment of a column's field. */
  static String of(Column column, String apiName, String field) {
    var facts = new ArrayList<String>();
    facts.add(column.nativeType());
    if (!column.nullable()) {
      facts.add("not null");
    }
    if (!column.writable()) {
      facts.add("made by the database");
    } else if (column.required()) {
      facts.add("must be given");
    }
    return joined(
        field.equals(apiName) ? null : named("Column", column.name()),
        column.comment(),
        String.join(", ", facts));
  }

  /** Returns the comment of a relationship's field. */
  static String of(Relationship relationship, String field) {
    return joined(
        field.equals(relationship.name()) ? null : named("Relationship", relationship.name()),
        "At least one related row passes.");
  }

  private static String named(String kind, String name) {
    var seen = UNSEEN.matcher(name).replaceAll("\uFFFD");
    return kind + " \"" + seen.replace("\"", "\"\"") + "\".";
  }

  private static String joined(@Nullable String... parts) {
    return Stream.of(parts)
        .filter(Objects::nonNull)
        .map(String::strip)
        .collect(Collectors.joining("\n"));
  }

  /**
   * Splits a text into the lines of a comment, each of which is a single line in every language.
   */
  static String lines(String text) {
    return text.strip()
        .lines()
        .map(line -> " " + UNSEEN.matcher(line).replaceAll("\uFFFD") + "\n")
        .collect(Collectors.joining());
  }
}
