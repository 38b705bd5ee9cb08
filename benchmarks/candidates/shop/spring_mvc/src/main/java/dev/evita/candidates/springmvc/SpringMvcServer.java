// SPDX-License-Identifier: Apache-2.0
package dev.evita.candidates.springmvc;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Spring Boot with Spring MVC and its own web server.
 *
 * <p>Arguments: port, script of the shop.
 */
@SpringBootApplication
public class SpringMvcServer {

  @SuppressWarnings("resource") // it serves until the process is killed
  public static void main(String[] arguments) {
    start(arguments[0], arguments[1]);
  }

  static ConfigurableApplicationContext start(String port, String script) {
    return SpringApplication.run(
        SpringMvcServer.class,
        "--server.port=" + port,
        "--spring.sql.init.schema-locations=file:" + script);
  }
}
