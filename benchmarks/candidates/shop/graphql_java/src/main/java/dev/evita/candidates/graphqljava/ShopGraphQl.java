// SPDX-License-Identifier: Apache-2.0
package dev.evita.candidates.graphqljava;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import graphql.ExecutionInput;
import graphql.GraphQL;
import graphql.execution.preparsed.PreparsedDocumentEntry;
import graphql.schema.DataFetchingEnvironment;
import graphql.schema.idl.RuntimeWiring;
import graphql.schema.idl.SchemaGenerator;
import graphql.schema.idl.SchemaParser;
import graphql.schema.idl.TypeRuntimeWiring;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.dataloader.DataLoader;
import org.dataloader.DataLoaderFactory;
import org.dataloader.DataLoaderRegistry;

/**
 * The shop's schema, wired as graphql-java's documentation has it: the default execution strategy,
 * data loaders for what is related, a cache of documents.
 */
final class ShopGraphQl {

  /** The answer to {@code echo}. */
  record Echo(String message) {}

  private final Shop shop;
  private final GraphQL graphQl;
  private final Cache<String, CompletableFuture<PreparsedDocumentEntry>> documents =
      Caffeine.newBuilder().maximumSize(1_000).build();

  ShopGraphQl(Shop shop) {
    this.shop = shop;
    var schema = Objects.requireNonNull(getClass().getResourceAsStream("/shop.graphqls"));
    var types = new SchemaParser().parse(new InputStreamReader(schema, StandardCharsets.UTF_8));
    this.graphQl =
        GraphQL.newGraphQL(new SchemaGenerator().makeExecutableSchema(types, wiring()))
            .preparsedDocumentProvider((input, parse) ->
                documents.get(
                    input.getQuery(),
                    text -> CompletableFuture.completedFuture(parse.apply(input))))
            .build();
  }

  private RuntimeWiring wiring() {
    return RuntimeWiring.newRuntimeWiring()
        .type(
            TypeRuntimeWiring.newTypeWiring("Query")
                .dataFetcher("echo", field -> new Echo(text(field, "message")))
                .dataFetcher("products_by_pk", field -> shop.product(number(field, "id")))
                .dataFetcher("products", field -> shop.products(number(field, "limit"))))
        .type(
            TypeRuntimeWiring.newTypeWiring("Product")
                .dataFetcher("brand", field -> brands(field).load(product(field).brand_id()))
                .dataFetcher("prices", field -> prices(field).load(product(field).id())))
        .build();
  }

  private static String text(DataFetchingEnvironment field, String argument) {
    return Objects.requireNonNull(field.<String>getArgument(argument));
  }

  private static int number(DataFetchingEnvironment field, String argument) {
    return Objects.requireNonNull(field.<Integer>getArgument(argument));
  }

  private static Shop.Product product(DataFetchingEnvironment field) {
    return Objects.requireNonNull(field.<Shop.Product>getSource());
  }

  private static DataLoader<Integer, Shop.Brand> brands(DataFetchingEnvironment field) {
    return Objects.requireNonNull(field.<Integer, Shop.Brand>getDataLoader("brands"));
  }

  private static DataLoader<Integer, List<Shop.Price>> prices(DataFetchingEnvironment field) {
    return Objects.requireNonNull(field.<Integer, List<Shop.Price>>getDataLoader("prices"));
  }

  /** Executes a request on this thread; what comes back is the response's JSON as maps. */
  Map<String, Object> execute(String query) {
    var loaders =
        DataLoaderRegistry.newRegistry()
            .register(
                "brands",
                DataLoaderFactory.<Integer, Shop.Brand>newMappedDataLoader(
                    ids -> loaded(() -> shop.brands(List.copyOf(ids)))))
            .register(
                "prices",
                DataLoaderFactory.<Integer, List<Shop.Price>>newMappedDataLoader(
                    ids -> loaded(() -> shop.prices(List.copyOf(ids)))))
            .build();
    return graphQl
        .execute(ExecutionInput.newExecutionInput(query).dataLoaderRegistry(loaders).build())
        .toSpecification();
  }

  private static <T> CompletionStage<T> loaded(Callable<T> load) {
    try {
      return CompletableFuture.completedFuture(load.call());
    } catch (Exception e) {
      return CompletableFuture.failedFuture(e);
    }
  }
}
