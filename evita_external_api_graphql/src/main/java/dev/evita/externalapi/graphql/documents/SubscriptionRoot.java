// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.documents;

import dev.evita.api.EvitaException;
import dev.evita.externalapi.graphql.request.GraphQlErrorCode;
import dev.evita.externalapi.graphql.request.RequestError;
import graphql.language.DirectivesContainer;
import graphql.language.Document;
import graphql.language.FragmentDefinition;
import graphql.language.FragmentSpread;
import graphql.language.InlineFragment;
import graphql.language.Node;
import graphql.language.OperationDefinition;
import graphql.language.SelectionSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A subscription has exactly one root field, regardless of its variables, so nothing at its root
 * may depend on a condition (GraphQL, September 2025, section 5.2.4.1). graphql-java 26 fails on
 * such a document instead of rejecting it.
 */
final class SubscriptionRoot {

  private final Map<String, FragmentDefinition> fragments = new HashMap<>();
  private final Set<String> seen = new HashSet<>();

  private SubscriptionRoot() {}

  /**
   * Rejects {@code @skip} and {@code @include} there.
   *
   * @throws RequestError {@code INVALID_DOCUMENT}
   */
  static void requireUnconditional(Document document) {
    var root = new SubscriptionRoot();
    for (var fragment : document.getDefinitionsOfType(FragmentDefinition.class)) {
      root.fragments.put(fragment.getName(), fragment);
    }
    for (var operation : document.getDefinitionsOfType(OperationDefinition.class)) {
      if (operation.getOperation() == OperationDefinition.Operation.SUBSCRIPTION) {
        root.check(operation.getSelectionSet());
      }
    }
  }

  private void check(SelectionSet selections) {
    for (Node<?> selection : selections.getChildren()) {
      if (selection instanceof DirectivesContainer<?> container
          && (container.hasDirective("skip") || container.hasDirective("include"))) {
        throw RequestError.at(
            new EvitaException(
                GraphQlErrorCode.INVALID_DOCUMENT,
                "@skip and @include are not allowed at the root of a subscription"),
            selection.getSourceLocation(),
            List.of());
      }
      if (selection instanceof InlineFragment inline) {
        check(inline.getSelectionSet());
      } else if (selection instanceof FragmentSpread spread && seen.add(spread.getName())) {
        var fragment = fragments.get(spread.getName());
        if (fragment != null) {
          check(fragment.getSelectionSet());
        }
      }
    }
  }
}
