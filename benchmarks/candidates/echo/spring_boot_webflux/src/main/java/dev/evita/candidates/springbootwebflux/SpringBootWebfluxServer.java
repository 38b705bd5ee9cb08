// SPDX-License-Identifier: Apache-2.0
package dev.evita.candidates.springbootwebflux;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Spring Boot with Spring WebFlux, which answers on the event loops of its Reactor Netty. */
@SpringBootApplication
public class SpringBootWebfluxServer {

  @SuppressWarnings("resource") // it serves until the process is killed
  public static void main(String[] arguments) {
    SpringApplication.run(SpringBootWebfluxServer.class, arguments);
  }
}
