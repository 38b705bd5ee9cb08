// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.documents;

import dev.evita.externalapi.graphql.request.GraphQlErrorCode;
import dev.evita.externalapi.graphql.request.RequestError;
import dev.evita.externalapi.graphql.schema.GraphQlSchema;
import graphql.language.Document;
import graphql.language.OperationDefinition;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** A valid document with its compiled operations. Thread-safe. */
final class CompiledDocument {

  private static final int VARIANT_CHARACTERS = 64 << 10;

  private final GraphQlSchema api;
  private final Document document;
  private final int characters;
  private final List<OperationDefinition> operations;
  private final Map<String, CompiledOperation> compiled = new ConcurrentHashMap<>();
  private volatile @Nullable CompiledOperation single;

  CompiledDocument(GraphQlSchema api, Document document, int characters) {
    this.api = api;
    this.document = document;
    this.characters = characters;
    this.operations = document.getDefinitionsOfType(OperationDefinition.class);
  }

  /** Returns the operation to run, if it is compiled already. */
  @Nullable CompiledOperation known(@Nullable String name) {
    return name == null ? single : compiled.get(name);
  }

  /**
   * Returns the operation to run (GraphQL, section 6.1, GetOperation).
   *
   * @param name null for the only one
   * @throws RequestError {@code INVALID_DOCUMENT}
   */
  CompiledOperation operation(@Nullable String name) {
    var known = known(name);
    if (known != null) {
      return known;
    }
    var operation = new CompiledOperation(api, document, select(name), mostVariants());
    if (name == null) {
      single = operation;
    } else {
      compiled.put(name, operation);
    }
    return operation;
  }

  /**
   * The plan cache weighs a document by its length once, so a longer document may have fewer
   * variants.
   */
  private int mostVariants() {
    return Math.clamp(VARIANT_CHARACTERS / Math.max(1, characters), 1, 64);
  }

  private OperationDefinition select(@Nullable String name) {
    if (operations.isEmpty()) {
      throw RequestError.of(GraphQlErrorCode.INVALID_DOCUMENT, "The document has no operation");
    }
    if (name == null) {
      if (operations.size() > 1) {
        throw RequestError.of(
            GraphQlErrorCode.INVALID_DOCUMENT,
            "The document has several operations; set operationName to the one to run");
      }
      return operations.getFirst();
    }
    for (var operation : operations) {
      if (name.equals(operation.getName())) {
        return operation;
      }
    }
    throw RequestError.of(
        GraphQlErrorCode.INVALID_DOCUMENT, "The document has no operation named '" + name + "'");
  }
}
