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
 * The types of a document's variables by the names that Hasura has for them, where the schema calls
 * a type otherwise and no other so. The document is validated and run by the schema's names.
 *
 * @see ScalarName#ofAlias
 */
final class TypeAliases {

  private static final String COMPARISON = "_comparison_exp";

  private final GraphQLSchema schema;

  TypeAliases(GraphQLSchema schema) {
    this.schema = schema;
  }

  /** Returns the document with the schema's names; the same one where it has no others. */
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

  /** The schema's name; null where this is one, or none that is known. */
  private @Nullable String nameOf(String alias) {
    if (schema.getType(alias) != null) {
      return null;
    }
    var stem = alias.endsWith(COMPARISON) ? alias.length() - COMPARISON.length() : alias.length();
    var name = ScalarName.ofAlias(alias.substring(0, stem));
    return name == null ? null : name + alias.substring(stem);
  }

  /** Names of types stand in conditions of fragments, too, where an input's name is an error. */
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
