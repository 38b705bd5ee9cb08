// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.schema;

import dev.evita.api.EvitaException;
import dev.evita.externalapi.graphql.request.GraphQlErrorCode;
import graphql.ExecutionInput;
import graphql.GraphQL;
import graphql.execution.preparsed.PreparsedDocumentEntry;
import graphql.language.Document;
import graphql.schema.GraphQLSchema;
import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Executes introspection with graphql-java's execution, the only use of it.
 *
 * <p>A response about hundreds of tables has megabytes: a few are cached, in their fields; the
 * eldest is evicted for the newest.
 */
public final class Introspector {

  private static final int KEPT_BYTES = 16 << 20;

  private final GraphQL graphql;
  private final JsonFactory json = new JsonFactory();
  private final ArrayDeque<IntrospectionField> keepers = new ArrayDeque<>();
  private long kept;

  Introspector(GraphQLSchema schema) {
    // The document was validated as a whole; this is a part of it, possibly with unused fragments.
    this.graphql =
        GraphQL.newGraphQL(schema)
            .preparsedDocumentProvider((input, parse) ->
                CompletableFuture.completedFuture(
                    new PreparsedDocumentEntry(
                        (Document) Objects.requireNonNull(input.getLocalContext()))))
            .build();
  }

  /** Returns the JSON of the one field that the document selects. */
  byte[] execute(Document document, Map<String, @Nullable Object> variables) {
    var input =
        ExecutionInput.newExecutionInput()
            .query("introspection")
            .localContext(document)
            .variables(variables)
            .build();
    var result = graphql.execute(input);
    if (!result.getErrors().isEmpty()) {
      throw new EvitaException(
          GraphQlErrorCode.INVALID_DOCUMENT, result.getErrors().getFirst().getMessage());
    }
    Map<String, Object> data = Objects.requireNonNull(result.getData());
    return bytes(data.values().iterator().next());
  }

  /** Records that the field caches a response of this number of bytes. */
  void keeps(IntrospectionField field, int bytes) {
    synchronized (keepers) {
      keepers.addLast(field);
      kept += bytes;
      while (kept > KEPT_BYTES) {
        kept -= keepers.removeFirst().forget();
      }
    }
  }

  private byte[] bytes(@Nullable Object value) {
    var bytes = new ByteArrayOutputStream();
    try (var generator = json.createGenerator(ObjectWriteContext.empty(), bytes)) {
      write(generator, value);
    }
    return bytes.toByteArray();
  }

  private static void write(JsonGenerator json, @Nullable Object value) {
    switch (value) {
      case null -> json.writeNull();
      case Map<?, ?> map -> {
        json.writeStartObject();
        map.forEach((name, member) -> {
          json.writeName(String.valueOf(name));
          write(json, member);
        });
        json.writeEndObject();
      }
      case List<?> list -> {
        json.writeStartArray();
        list.forEach(element -> write(json, element));
        json.writeEndArray();
      }
      case Boolean bool -> json.writeBoolean(bool);
      case Integer number -> json.writeNumber(number);
      case BigInteger number -> json.writeNumber(number);
      case BigDecimal number -> json.writeNumber(number);
      default -> json.writeString(value.toString());
    }
  }
}
