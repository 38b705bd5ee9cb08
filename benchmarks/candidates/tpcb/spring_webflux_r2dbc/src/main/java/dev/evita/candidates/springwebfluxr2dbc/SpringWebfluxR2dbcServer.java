// SPDX-License-Identifier: Apache-2.0
package dev.evita.candidates.springwebfluxr2dbc;

import java.net.URI;
import java.util.Map;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/**
 * Spring Boot with WebFlux and R2DBC, with its default pool (10 connections). Environment: {@code
 * PORT}, {@code DATABASE_URL}; {@code PREPARED_STATEMENTS=off} for unnamed statements.
 */
@SpringBootApplication
public class SpringWebfluxR2dbcServer {

  @SuppressWarnings("resource") // it serves until the process is killed
  public static void main(String[] arguments) {
    var database = URI.create(System.getenv("DATABASE_URL"));
    var unnamed = "off".equals(System.getenv("PREPARED_STATEMENTS"));
    var application = new SpringApplication(SpringWebfluxR2dbcServer.class);
    application.setDefaultProperties(
        Map.of(
            "server.address",
            "127.0.0.1",
            "server.port",
            System.getenv("PORT"),
            "spring.r2dbc.username",
            database.getUserInfo(),
            "spring.r2dbc.url",
            "r2dbc:postgresql://%s:%d%s%s"
                .formatted(
                    database.getHost(),
                    database.getPort(),
                    database.getPath(),
                    unnamed ? "?preparedStatementCacheQueries=0" : "")));
    application.run(arguments);
  }
}
