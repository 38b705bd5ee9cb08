// SPDX-License-Identifier: Apache-2.0
package dev.evita.candidates.springbootmvc;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Spring Boot with Spring MVC, which answers on its Tomcat's threads. */
@SpringBootApplication
public class SpringBootMvcServer {

  @SuppressWarnings("resource") // it serves until the process is killed
  public static void main(String[] arguments) {
    SpringApplication.run(SpringBootMvcServer.class, arguments);
  }
}
