// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.input;

import dev.evita.api.EvitaException;
import dev.evita.externalapi.graphql.request.GraphQlErrorCode;
import dev.evita.externalapi.graphql.request.RequestError;
import graphql.language.BooleanValue;
import graphql.language.Directive;
import graphql.language.Field;
import graphql.language.FragmentDefinition;
import graphql.language.FragmentSpread;
import graphql.language.InlineFragment;
import graphql.language.Node;
import graphql.language.Selection;
import graphql.language.SelectionSet;
import graphql.language.VariableReference;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Flattens selections into fields by response key (GraphQL, section 6.3.2, CollectFields), for one
 * outcome of the variables in {@code @skip} and {@code @include}.
 *
 * <p>Every type of a generated schema is concrete: a fragment fits by its type's name.
 */
public final class FieldCollector {

  /** Nested fragments multiply fields: the limit of their number. */
  private static final int MOST_FIELDS = 20_000;

  private final Map<String, FragmentDefinition> fragments;
  private final Map<String, Boolean> conditions;
  private final SelectionLimits limits;
  private int collected;
  private int aliases;

  public FieldCollector(
      Map<String, FragmentDefinition> fragments,
      Map<String, Boolean> conditions,
      SelectionLimits limits) {
    this.fragments = fragments;
    this.conditions = conditions;
    this.limits = limits;
  }

  public Map<String, FragmentDefinition> fragments() {
    return fragments;
  }

  /**
   * Returns the fields at the root of the operation, as {@link #collect}.
   *
   * @throws RequestError {@code TOO_MANY_ROOT_FIELDS} and as {@link #collect}
   */
  public Map<String, List<Field>> collectRoot(String typeName, SelectionSet selection) {
    var fields = collect(typeName, List.of(selection));
    if (fields.size() > limits.maxRootFields()) {
      var first = fields.values().stream().skip(limits.maxRootFields()).findFirst().orElseThrow();
      throw refused(
          first.getFirst(),
          GraphQlErrorCode.TOO_MANY_ROOT_FIELDS,
          "The operation has %d fields at its root, more than %d, the limit of max-root-fields"
              .formatted(fields.size(), limits.maxRootFields()));
    }
    return fields;
  }

  /**
   * Counts the aliases of a field that is executed elsewhere, and of its subselections.
   *
   * @throws RequestError {@code TOO_MANY_ALIASES}
   */
  public void countAliases(Node<?> node) {
    if (node instanceof Field field) {
      countAlias(field);
    }
    if (node instanceof FragmentSpread spread) {
      var fragment = fragments.get(spread.getName());
      if (fragment != null) {
        countAliases(fragment);
      }
    }
    for (Node<?> child : node.getChildren()) {
      countAliases(child);
    }
  }

  /** The number of aliases so far. */
  public int aliases() {
    return aliases;
  }

  private void countAlias(Field field) {
    if (field.getAlias() != null && ++aliases > limits.maxAliases()) {
      throw refused(
          field,
          GraphQlErrorCode.TOO_MANY_ALIASES,
          "The operation has more than "
              + limits.maxAliases()
              + " aliases, the limit of max-aliases");
    }
  }

  private static RequestError refused(Field at, EvitaException.Code code, String message) {
    return RequestError.at(new EvitaException(code, message), at.getSourceLocation(), List.of());
  }

  /**
   * Returns the selected fields, by response key, in the order of the response.
   *
   * @throws RequestError {@code TOO_MANY_ALIASES}
   */
  public Map<String, List<Field>> collect(String typeName, List<SelectionSet> selections) {
    var fields = new LinkedHashMap<String, List<Field>>();
    var visited = new HashSet<String>();
    for (var selection : selections) {
      collect(typeName, selection, fields, visited);
    }
    return fields;
  }

  private void collect(
      String typeName,
      SelectionSet selections,
      Map<String, List<Field>> into,
      Set<String> visited) {
    for (Selection<?> selection : selections.getSelections()) {
      switch (selection) {
        case Field field when included(field.getDirectives()) -> {
          count();
          countAlias(field);
          into.computeIfAbsent(field.getResultKey(), key -> new ArrayList<>()).add(field);
        }
        case InlineFragment fragment when included(fragment.getDirectives()) -> {
          var condition = fragment.getTypeCondition();
          if (condition == null || condition.getName().equals(typeName)) {
            collect(typeName, fragment.getSelectionSet(), into, visited);
          }
        }
        case FragmentSpread spread when included(spread.getDirectives()) -> {
          var fragment = fragments.get(spread.getName());
          if (fragment != null
              && visited.add(spread.getName())
              && fragment.getTypeCondition().getName().equals(typeName)) {
            collect(typeName, fragment.getSelectionSet(), into, visited);
          }
        }
        default -> {
          // excluded by its directives
        }
      }
    }
  }

  private void count() {
    if (++collected > MOST_FIELDS) {
      throw new EvitaException(
          GraphQlErrorCode.INVALID_DOCUMENT,
          "The document selects more than " + MOST_FIELDS + " fields; select fewer");
    }
  }

  private boolean included(List<Directive> directives) {
    for (var directive : directives) {
      if ((directive.getName().equals("skip") && condition(directive))
          || (directive.getName().equals("include") && !condition(directive))) {
        return false;
      }
    }
    return true;
  }

  private boolean condition(Directive directive) {
    var value = Objects.requireNonNull(directive.getArgument("if")).getValue();
    return switch (value) {
      case BooleanValue literal -> literal.isValue();
      case VariableReference variable -> conditions.getOrDefault(variable.getName(), false);
      default -> throw new IllegalStateException("not a condition: " + value);
    };
  }
}
