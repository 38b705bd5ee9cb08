// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.schema;

import dev.evita.externalapi.graphql.input.FieldCollector;
import graphql.language.Document;
import graphql.language.Field;
import graphql.language.FragmentSpread;
import graphql.language.Node;
import graphql.language.OperationDefinition;
import graphql.language.SelectionSet;
import graphql.language.VariableReference;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A {@code __schema} or {@code __type} of a document. Thread-safe. */
public final class IntrospectionField {

  private final Introspector introspector;
  private final Document document;
  private final boolean variable;
  private volatile byte @Nullable [] kept;

  /**
   * @param fields the occurrences of one response key, which are merged into one
   */
  public IntrospectionField(
      Introspector introspector,
      List<Field> fields,
      OperationDefinition operation,
      FieldCollector collector) {
    this.introspector = introspector;
    for (var field : fields) {
      var selections = field.getSelectionSet();
      if (selections != null) {
        collector.countAliases(selections);
      }
    }
    var only =
        operation.transform(
            builder -> builder.selectionSet(new SelectionSet(fields)).directives(List.of()));
    var selected = Document.newDocument().definition(only);
    collector.fragments().values().forEach(selected::definition);
    this.document = selected.build();
    this.variable = dependsOnVariables(only.getSelectionSet(), collector, new HashSet<>());
  }

  private static boolean dependsOnVariables(
      Node<?> node, FieldCollector collector, Set<String> visited) {
    if (node instanceof VariableReference) {
      return true;
    }
    if (node instanceof FragmentSpread spread && visited.add(spread.getName())) {
      var fragment = collector.fragments().get(spread.getName());
      if (fragment != null && dependsOnVariables(fragment, collector, visited)) {
        return true;
      }
    }
    for (Node<?> child : node.getChildren()) {
      if (dependsOnVariables(child, collector, visited)) {
        return true;
      }
    }
    return false;
  }

  /** Whether the response is cached. */
  public boolean ready() {
    return kept != null;
  }

  /**
   * Returns the response as JSON.
   *
   * @param variables as given by the request
   */
  public byte[] result(Map<String, @Nullable Object> variables) {
    var known = kept;
    if (known != null) {
      return known;
    }
    var result = introspector.execute(document, variables);
    if (!variable) {
      kept = result;
      introspector.keeps(this, result.length);
    }
    return result;
  }

  /** Returns the number of bytes released. */
  int forget() {
    var known = kept;
    kept = null;
    return known == null ? 0 : known.length;
  }
}
