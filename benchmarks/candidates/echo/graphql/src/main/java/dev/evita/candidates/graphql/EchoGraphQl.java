// SPDX-License-Identifier: Apache-2.0
package dev.evita.candidates.graphql;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import graphql.ExecutionInput;
import graphql.GraphQL;
import graphql.execution.preparsed.PreparsedDocumentEntry;
import graphql.schema.idl.RuntimeWiring;
import graphql.schema.idl.SchemaGenerator;
import graphql.schema.idl.SchemaParser;
import graphql.schema.idl.TypeRuntimeWiring;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import tools.jackson.databind.json.JsonMapper;

/**
 * The echo API, executed by graphql-java: as published, or with a cache of parsed documents.
 * Thread-safe; nothing in it blocks.
 */
public final class EchoGraphQl {

  private static final JsonMapper JSON = JsonMapper.shared();

  private final GraphQL graphQl;

  private EchoGraphQl(GraphQL graphQl) {
    this.graphQl = graphQl;
  }

  /** With a document cache where the system property {@code document.cache} is {@code true}. */
  public static EchoGraphQl create() {
    var source = Objects.requireNonNull(EchoGraphQl.class.getResourceAsStream("/echo.graphqls"));
    var types = new SchemaParser().parse(new InputStreamReader(source, StandardCharsets.UTF_8));
    var wiring =
        RuntimeWiring.newRuntimeWiring()
            .type(
                TypeRuntimeWiring.newTypeWiring("Query")
                    .dataFetcher("echo", field -> echo(field.getArgument("message"))))
            .build();
    var graphQl = GraphQL.newGraphQL(new SchemaGenerator().makeExecutableSchema(types, wiring));
    if (Boolean.getBoolean("document.cache")) {
      keepDocuments(graphQl);
    }
    return new EchoGraphQl(graphQl.build());
  }

  private static Map<String, String> echo(String message) {
    return Map.of("message", message);
  }

  private static void keepDocuments(GraphQL.Builder graphQl) {
    Cache<String, CompletableFuture<PreparsedDocumentEntry>> documents =
        Caffeine.newBuilder().maximumSize(1_000).build();
    graphQl.preparsedDocumentProvider((input, parse) ->
        documents.get(
            input.getQuery(), text -> CompletableFuture.completedFuture(parse.apply(input))));
  }

  /** For a framework that brings its own way of serving one. */
  public GraphQL graphQl() {
    return graphQl;
  }

  /** Executes a request on this thread; what comes back is the answer's JSON as maps. */
  public Map<String, Object> execute(GraphQlRequest request) {
    var input = ExecutionInput.newExecutionInput(request.query());
    if (request.operationName() != null) {
      input.operationName(request.operationName());
    }
    if (request.variables() != null) {
      input.variables(request.variables());
    }
    return graphQl.execute(input.build()).toSpecification();
  }

  /** The same from JSON to JSON, for a server that has none. */
  public byte[] answer(byte[] body) {
    return JSON.writeValueAsBytes(execute(JSON.readValue(body, GraphQlRequest.class)));
  }
}
