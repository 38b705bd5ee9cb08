// SPDX-License-Identifier: Apache-2.0
package dev.evita.server;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The packages of each module: their dependencies, their visibility to other modules, and their
 * size.
 */
final class RoomsTest {

  /**
   * A line for each module with its root package, and below it its other packages with those that
   * each may use. The root package may use all of them, and none of them may use the root package.
   */
  private static final String ROOMS =
      """
      dev.evita.api
      dev.evita.api.testkit
        memory
      dev.evita.testsupport
      dev.evita.engine.jdbc
        value
        dialect -> value
        health -> dialect
        connection -> dialect health
        h2 -> dialect health value
        sqlite -> dialect health value
        postgresql -> dialect value
        sql -> dialect value
        run -> connection dialect health sql value
      dev.evita.http
      dev.evita.externalapi.core
        error
        filter
        limits -> error
        json -> error limits
        carpool
        work -> carpool error json limits
        transaction -> carpool error limits work
        insert -> error limits transaction work
        web -> limits
        push -> error limits web work
        live -> error limits push work
        tls -> limits
        exchange -> error json limits live push transaction web work
      dev.evita.externalapi.graphql
        request
        model
        input -> model request
        schema -> input model request
        plan -> input model request schema
        queries -> input model plan request schema
        mutations -> input model plan request schema
        documents -> input model mutations plan queries request schema
        subscriptions -> documents plan request
        http -> documents input plan request subscriptions
      dev.evita.externalapi.rest
        model
        request -> model
        response -> model
        reads -> model request response
        routines -> model reads request response
        writes -> model reads request response routines
        batch -> model request response writes
        openapi -> model response
        changes -> model reads request response
      dev.evita.externalapi.grpc
        transport
        proto
        messages -> proto
        tables -> messages proto transport
        generic -> messages proto tables transport
        reflection -> generic messages proto tables transport
      dev.evita.externalapi.sql
        declaration
        outcome
        program
        files
        templates -> outcome
        inputs -> declaration
        proxy -> inputs outcome
        run -> declaration inputs outcome program
        respond -> files inputs outcome proxy run templates
        store -> declaration run
        live -> outcome run
      dev.evita.server
      """;

  /** Packages that other modules may use, besides the root packages. */
  private static final List<String> EXPORTED =
      Stream.of(
              "core.error",
              "core.filter",
              "core.limits",
              "core.json",
              "core.carpool",
              "core.work",
              "core.transaction",
              "core.insert",
              "core.web",
              "core.push",
              "core.live",
              "core.exchange",
              "core.tls",
              "sql.program")
          .map(room -> "dev.evita.externalapi." + room)
          .toList();

  private static final int MAX_TYPES = 40;

  private static final List<String> UNLIMITED = List.of("dev.evita.api", "dev.evita.api.testkit");

  /** The packages that each package may use within its module, by their full names. */
  private static final Map<String, Set<String>> ARROWS = new TreeMap<>();

  /** The root package of the module of each package. */
  private static final Map<String, String> MODULES = new HashMap<>();

  static {
    var root = "";
    for (var line : ROOMS.lines().toList()) {
      var words = line.strip().split("[ >-]+");
      if (line.startsWith(" ")) {
        var module = root;
        var used = new HashSet<String>();
        for (int i = 1; i < words.length; i++) {
          used.add(module + "." + words[i]);
        }
        var room = module + "." + words[0];
        ARROWS.put(room, used);
        MODULES.put(room, module);
        Objects.requireNonNull(ARROWS.get(module)).add(room);
      } else {
        root = words[0];
        ARROWS.put(root, new HashSet<>());
        MODULES.put(root, root);
      }
    }
  }

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("dev.evita");

  private record Arrow(String from, String to) {}

  /** The dependencies between packages, each with an example. */
  private static Map<Arrow, String> arrows() {
    var arrows = new HashMap<Arrow, String>();
    for (var type : CLASSES) {
      for (var dependency : type.getDirectDependenciesFromSelf()) {
        var to = dependency.getTargetClass().getBaseComponentType().getPackageName();
        if (ARROWS.containsKey(to) && !to.equals(type.getPackageName())) {
          arrows.putIfAbsent(new Arrow(type.getPackageName(), to), dependency.getDescription());
        }
      }
    }
    return arrows;
  }

  @Test
  void packages_all_areDeclared() {
    var packages = new TreeSet<String>();
    CLASSES.forEach(type -> packages.add(type.getPackageName()));
    assertThat(packages).isEqualTo(ARROWS.keySet());
  }

  @Test
  void packages_ofOneModule_useThoseDeclared() {
    var refused = new TreeMap<String, String>();
    arrows()
        .forEach((arrow, example) -> {
          var inside = Objects.equals(MODULES.get(arrow.from), MODULES.get(arrow.to));
          if (inside && !Objects.requireNonNull(ARROWS.get(arrow.from)).contains(arrow.to)) {
            refused.put(arrow.from + " -> " + arrow.to, example);
          }
        });
    assertThat(refused).isEmpty();
  }

  @Test
  void packages_ofOtherModules_areUsedWhereExported() {
    var refused = new TreeMap<String, String>();
    arrows()
        .forEach((arrow, example) -> {
          var inside = Objects.equals(MODULES.get(arrow.from), MODULES.get(arrow.to));
          var root = arrow.to.equals(MODULES.get(arrow.to));
          if (!inside && !root && !EXPORTED.contains(arrow.to)) {
            refused.put(arrow.from + " -> " + arrow.to, example);
          }
        });
    assertThat(refused).isEmpty();
  }

  @Test
  void packages_all_areFreeOfCycles() {
    slices().matching("dev.evita.(**)").should().beFreeOfCycles().check(CLASSES);
  }

  @Test
  void packages_all_areSmall() throws IOException {
    var large = new TreeMap<Path, Long>();
    for (var folder : sourceFolders()) {
      try (var files = Files.list(folder)) {
        var types =
            files
                .map(file -> file.getFileName().toString())
                .filter(name -> name.endsWith(".java") && !name.equals("package-info.java"))
                .count();
        if (types > MAX_TYPES && !UNLIMITED.contains(packageName(folder))) {
          large.put(folder, types);
        }
      }
    }
    assertThat(large).isEmpty();
  }

  private static Set<Path> sourceFolders() throws IOException {
    var folders = new TreeSet<Path>();
    try (var modules = Files.newDirectoryStream(Path.of(".."), "evita_*")) {
      for (var module : modules) {
        for (var tree : List.of("main", "test")) {
          var sources = module.resolve("src").resolve(tree).resolve("java");
          if (Files.isDirectory(sources)) {
            try (var all = Files.walk(sources)) {
              folders.addAll(all.filter(Files::isDirectory).collect(Collectors.toSet()));
            }
          }
        }
      }
    }
    assertThat(folders).hasSizeGreaterThan(ARROWS.size());
    return folders;
  }

  private static String packageName(Path folder) {
    var path = folder.toString().replace('\\', '/');
    return path.substring(path.lastIndexOf("/java") + "/java".length())
        .replace('/', '.')
        .replaceFirst("^[.]", "");
  }
}
