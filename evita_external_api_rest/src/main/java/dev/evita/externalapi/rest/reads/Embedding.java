// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.reads;

import dev.evita.api.ErrorCode;
import dev.evita.api.Relationship;
import dev.evita.externalapi.rest.model.RestFailure;
import dev.evita.externalapi.rest.model.RestModel;
import dev.evita.externalapi.rest.model.RestTable;
import dev.evita.externalapi.rest.request.SelectItem;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The join path to an embedded resource.
 *
 * @param first from the table itself
 * @param second the continuation, if the first leads to a junction table
 */
public record Embedding(Relationship first, @Nullable Relationship second) {

  /** Whether there is at most one related row. */
  boolean single() {
    return first.single() && second == null;
  }

  Relationship last() {
    return second == null ? first : second;
  }

  /**
   * Finds the join path by the relationship's name, the other table's, the constraint's, or the one
   * column of the foreign key; else through a table whose primary key is made of foreign keys to
   * both.
   *
   * @throws RestFailure PGRST200 if there is none, PGRST201 if there are several
   */
  static Embedding find(RestModel model, RestTable from, SelectItem.Embed embed) {
    return find(model, from, embed, () -> missing(from, embed));
  }

  /**
   * Finds the join path, with a custom failure.
   *
   * @param missing the failure if there is none
   */
  public static Embedding find(
      RestModel model, RestTable from, SelectItem.Embed embed, Supplier<RestFailure> missing) {
    var direct = direct(model, from, embed);
    var found = direct.isEmpty() ? joined(model, from, embed) : direct;
    if (found.size() == 1) {
      return found.getFirst();
    }
    if (found.isEmpty()) {
      throw missing.get();
    }
    throw new RestFailure(
        300,
        ErrorCode.INVALID_OPERATION,
        "PGRST201",
        "Could not embed because more than one relationship was found for '%s' and '%s'"
            .formatted(from.name(), RestFailure.shortened(embed.name())),
        null,
        "Try one of "
            + String.join(
                ", ",
                found.stream()
                    .map(each -> "'" + embed.name() + "!" + each.first.name() + "'")
                    .toList()));
  }

  private static RestFailure missing(RestTable from, SelectItem.Embed embed) {
    return new RestFailure(
        400,
        ErrorCode.INVALID_OPERATION,
        "PGRST200",
        "Could not find a relationship between '%s' and '%s' in the schema cache"
            .formatted(from.name(), RestFailure.shortened(embed.name())),
        null,
        "There are "
            + String.join(", ", from.relationships().stream().map(Relationship::name).toList()));
  }

  private static List<Embedding> direct(RestModel model, RestTable from, SelectItem.Embed embed) {
    var found = new ArrayList<Embedding>();
    for (var relationship : from.relationships()) {
      if (relationship.name().equals(embed.name()) && embed.hints().isEmpty()) {
        return List.of(new Embedding(relationship, null));
      }
      if (leadsTo(model, relationship, embed.name())
          && embed.hints().stream().allMatch(hint -> isHint(model, relationship, hint))) {
        found.add(new Embedding(relationship, null));
      }
    }
    return found;
  }

  private static boolean leadsTo(RestModel model, Relationship relationship, String name) {
    return relationship.name().equals(name)
        || model.table(relationship.to()).name().equals(name)
        || model.catalog().apiName(relationship.to()).equals(name)
        || relationship.foreignKey().equalsIgnoreCase(name)
        || (isOwn(model, relationship)
            && isOnly(model, relationship.from(), relationship.fromColumns(), name));
  }

  /** Whether the foreign key belongs to the source table, so that its column can name it. */
  private static boolean isOwn(RestModel model, Relationship relationship) {
    return model.table(relationship.from()).table().foreignKeys().stream()
        .anyMatch(key ->
            key.columns().equals(relationship.fromColumns())
                && key.target().equals(relationship.to()));
  }

  private static boolean isHint(RestModel model, Relationship relationship, String hint) {
    return relationship.name().equals(hint)
        || relationship.foreignKey().equalsIgnoreCase(hint)
        || isColumnHint(model, relationship, hint);
  }

  /**
   * Whether the hint is the single foreign key column of either table. A self-referencing foreign
   * key is a relationship in both directions: its column leads to the referring rows, as in
   * PostgREST.
   */
  private static boolean isColumnHint(RestModel model, Relationship relationship, String hint) {
    var theirs = isOnly(model, relationship.to(), relationship.toColumns(), hint);
    return relationship.from().equals(relationship.to())
        ? theirs && !isOwn(model, relationship)
        : theirs || isOnly(model, relationship.from(), relationship.fromColumns(), hint);
  }

  private static boolean isOnly(
      RestModel model, dev.evita.api.TableName table, List<String> columns, String apiName) {
    return columns.size() == 1
        && model.catalog().apiName(table, columns.getFirst()).equals(apiName);
  }

  private static List<Embedding> joined(RestModel model, RestTable from, SelectItem.Embed embed) {
    var found = new ArrayList<Embedding>();
    for (var first : from.relationships()) {
      var middle = model.table(first.to());
      var key = middle.table().primaryKey();
      if (first.single() || key == null || !key.columns().containsAll(first.toColumns())) {
        continue;
      }
      for (var second : middle.relationships()) {
        if (second.single()
            && key.columns().containsAll(second.fromColumns())
            && !second.fromColumns().equals(first.toColumns())
            && model.table(second.to()).name().equals(embed.name())
            && embed.hints().stream().allMatch(hint -> hint.equals(middle.name()))) {
          found.add(new Embedding(first, second));
        }
      }
    }
    return found;
  }
}
