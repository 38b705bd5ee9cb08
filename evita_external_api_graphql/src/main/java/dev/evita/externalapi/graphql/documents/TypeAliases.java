// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.documents;

import dev.evita.externalapi.graphql.model.ScalarName;
import graphql.language.AstTransformer;
import graphql.language.Document;
import graphql.language.ListType;
import graphql.language.Node;
import graphql.language.NodeVisitorStub;
import graphql.language.NonNullType;
import graphql.language.OperationDefinition;
import graphql.language.Type;
import graphql.language.TypeName;
import graphql.schema.GraphQLSchema;
import graphql.util.TraversalControl;
import graphql.util.TraverserContext;
import graphql.util.TreeTransformerUtil;
import org.jspecify.annotations.Nullable;

/**
 * Hasura's names for the types of a document's variables, where the schema has a different name for
 * the type and no other type of that name. The document is validated and executed with the schema's
 * names.
 *
 * @see ScalarName#ofAlias
 */
final class TypeAliases {

  private static final String COMPARISON = "_comparison_exp";

  private final GraphQLSchema schema;

  TypeAliases(GraphQLSchema schema) {
    this.schema = schema;
  }

  /** Returns the document with the schema's names; the same document if it contains no aliases. */
  Document resolve(Document document) {
    for (var operation : document.getDefinitionsOfType(OperationDefinition.class)) {
      for (var variable : operation.getVariableDefinitions()) {
        if (nameOf(named(variable.getType())) != null) {
          return (Document) new AstTransformer().transform(document, new Renaming());
        }
      }
    }
    return document;
  }

  private static String named(Type<?> type) {
    return switch (type) {
      case NonNullType nonNull -> named(nonNull.getType());
      case ListType list -> named(list.getType());
      case TypeName name -> name.getName();
      default -> throw new IllegalStateException("no type: " + type);
    };
  }

  /** Returns the schema's name; null if this is one, or is unknown. */
  private @Nullable String nameOf(String alias) {
    if (schema.getType(alias) != null) {
      return null;
    }
    var stem = alias.endsWith(COMPARISON) ? alias.length() - COMPARISON.length() : alias.length();
    var name = ScalarName.ofAlias(alias.substring(0, stem));
    return name == null ? null : name + alias.substring(stem);
  }

  /** Type names also occur in type conditions of fragments, where an input's name is an error. */
  @SuppressWarnings("rawtypes") // as the visitor's methods have it
  private final class Renaming extends NodeVisitorStub {
    @Override
    public TraversalControl visitTypeName(TypeName node, TraverserContext<Node> context) {
      var name = nameOf(node.getName());
      return name == null
          ? TraversalControl.CONTINUE
          : TreeTransformerUtil.changeNode(context, node.transform(builder -> builder.name(name)));
    }
  }
}
