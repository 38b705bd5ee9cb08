// SPDX-License-Identifier: Apache-2.0
package dev.evita.candidates.springgraphql;

import com.github.benmanes.caffeine.cache.Caffeine;
import graphql.execution.preparsed.PreparsedDocumentEntry;
import java.util.concurrent.CompletableFuture;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.graphql.autoconfigure.GraphQlSourceBuilderCustomizer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

/**
 * Spring Boot with Spring for GraphQL and its own web server.
 *
 * <p>Arguments: port, script of the shop.
 */
@SpringBootApplication
public class SpringGraphQlServer {

  @SuppressWarnings("resource") // it serves until the process is killed
  public static void main(String[] arguments) {
    start(arguments[0], arguments[1]);
  }

  static ConfigurableApplicationContext start(String port, String script) {
    return SpringApplication.run(
        SpringGraphQlServer.class,
        "--server.port=" + port,
        "--spring.sql.init.schema-locations=file:" + script);
  }

  /** The cache of documents that graphql-java's documentation shows. */
  @Bean
  GraphQlSourceBuilderCustomizer documentCache() {
    var documents =
        Caffeine.newBuilder()
            .maximumSize(1_000)
            .<String, CompletableFuture<PreparsedDocumentEntry>>build();
    return source ->
        source.configureGraphQl(graphQl ->
            graphQl.preparsedDocumentProvider((input, parse) ->
                documents.get(
                    input.getQuery(),
                    text -> CompletableFuture.completedFuture(parse.apply(input)))));
  }
}
