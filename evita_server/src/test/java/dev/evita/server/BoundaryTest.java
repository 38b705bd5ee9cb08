// SPDX-License-Identifier: Apache-2.0
package dev.evita.server;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/**
 * The dependencies between modules: {@code external_api_* -> external_api_core -> api <- engine_*},
 * and {@code external_api_core -> http}. Only this module depends on both sides.
 */
final class BoundaryTest {

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("dev.evita");

  @Test
  void modules_all_areFound() {
    for (var name :
        new String[] {
          "api.Engine", "http.Http2Connection", "engine.jdbc.JdbcEngine", "server.Main"
        }) {
      assertThat(CLASSES.contain("dev.evita." + name)).as(name).isTrue();
    }
    for (var name :
        new String[] {
          "core.ExternalApiServer",
          "graphql.GraphQlProvider",
          "rest.RestProvider",
          "grpc.GrpcProvider",
          "sql.SqlProvider"
        }) {
      assertThat(CLASSES.contain("dev.evita.externalapi." + name)).as(name).isTrue();
    }
  }

  @Test
  void contract_dependsOnlyOnTheJdk() {
    classes()
        .that()
        .resideInAPackage("dev.evita.api")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage("dev.evita.api", "java..", "org.jspecify..")
        .check(CLASSES);
  }

  @Test
  void engines_dependOnlyOnTheContract() {
    noClasses()
        .that()
        .resideInAPackage("dev.evita.engine..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("dev.evita.externalapi..", "dev.evita.server..")
        .check(CLASSES);
  }

  @Test
  void http_dependsOnlyOnUndertow() {
    classes()
        .that()
        .resideInAPackage("dev.evita.http..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "dev.evita.http..",
            "java..",
            "javax.net.ssl..",
            "io.undertow..",
            "org.xnio..",
            "org.slf4j..",
            "org.jspecify..")
        .check(CLASSES);
  }

  @Test
  void core_dependsOnlyOnTheContractAndHttp() {
    noClasses()
        .that()
        .resideInAPackage("dev.evita.externalapi.core")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "dev.evita.engine..",
            "dev.evita.server..",
            "dev.evita.externalapi.graphql..",
            "dev.evita.externalapi.rest..",
            "dev.evita.externalapi.grpc..",
            "dev.evita.externalapi.sql..")
        .check(CLASSES);
  }

  @Test
  void protocols_dependOnlyOnCoreAndContract() {
    for (var protocol : new String[] {"graphql", "rest", "grpc", "sql"}) {
      noClasses()
          .that()
          .resideInAPackage("dev.evita.externalapi." + protocol + "..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("dev.evita.engine..", "dev.evita.server..", "dev.evita.http..")
          .allowEmptyShould(true)
          .check(CLASSES);
    }
  }

  @Test
  void exit_isCalledOnlyInMain() {
    noClasses()
        .that()
        .doNotHaveFullyQualifiedName("dev.evita.server.Main")
        .should()
        .callMethod(System.class, "exit", int.class)
        .check(CLASSES);
  }

  @Test
  void systemProperties_areReadOnlyInServer() {
    noClasses()
        .that()
        .resideOutsideOfPackages("dev.evita.server", "dev.evita.testsupport")
        .should()
        .callMethod(System.class, "getProperty", String.class)
        .orShould()
        .callMethod(System.class, "getProperty", String.class, String.class)
        .orShould()
        .callMethod(System.class, "setProperty", String.class, String.class)
        .check(CLASSES);
  }
}
