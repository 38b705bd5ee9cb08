// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A server that answers the echo query: a module under {@code candidates/echo}, with a class path
 * of its own. Each takes its port by the system property {@code port}, and {@code document.cache},
 * which says whether it keeps parsed documents.
 */
enum Candidate {
  EVITA("Evita", "evita", "evita.EvitaServer", "evita_external_api_core", null),
  CEILING("Undertow, constant", "ceiling", "ceiling.CeilingServer", "undertow-core", null),
  NETTY("Netty", "netty", "netty.NettyServer", "netty-codec-http", new Published(32310, 198)),
  MICROHTTP(
      "microhttp",
      "microhttp",
      "microhttp.MicrohttpServer",
      "microhttp",
      new Published(31344, 193)),
  VERTX("Vert.x", "vertx", "vertx.VertxServer", "vertx-core", new Published(30463, 198)),
  JAVALIN("Javalin", "javalin", "javalin.JavalinServer", "javalin", new Published(26649, 229)),
  UNDERTOW(
      "Undertow",
      "undertow",
      "undertow.UndertowServer",
      "undertow-core",
      new Published(25214, 253)),
  MICRONAUT(
      "Micronaut",
      "micronaut",
      "micronaut.MicronautServer",
      "micronaut-http-server",
      new Published(22169, 283)),
  QUARKUS("Quarkus", "quarkus", null, "io.quarkus.quarkus-core", new Published(21269, 287)),
  SPRING_WEBFLUX(
      "Spring Boot WebFlux",
      "spring_boot_webflux",
      "springbootwebflux.SpringBootWebfluxServer",
      "spring-boot",
      new Published(20016, 306)),
  SPRING_MVC(
      "Spring Boot MVC",
      "spring_boot_mvc",
      "springbootmvc.SpringBootMvcServer",
      "spring-boot",
      new Published(15550, 385)),
  QUARKUS_NATIVE(
      "Quarkus (native)", "quarkus", null, "io.quarkus.quarkus-core", new Published(15433, 391)),
  NANOHTTPD(
      "NanoHTTPD", "nanohttpd", "nanohttpd.NanohttpdServer", "nanohttpd", new Published(9400, 646)),
  ARMERIA("Armeria", "armeria", "armeria.ArmeriaServer", "armeria", null),
  HELIDON("Helidon", "helidon", "helidon.HelidonServer", "helidon-webserver", null);

  /**
   * What was published in June 2023.
   *
   * @param perSecond operations, more is better
   * @param micros for an operation, less is better
   */
  record Published(int perSecond, int micros) {}

  private static final Path DIRECTORY = Path.of("candidates", "echo");

  private final String title;
  private final String module;
  private final @Nullable String main;
  private final String library;
  private final @Nullable Published published;

  Candidate(
      String title,
      String module,
      @Nullable String main,
      String library,
      @Nullable Published published) {
    this.title = title;
    this.module = module;
    this.main = main;
    this.library = library;
    this.published = published;
  }

  String title() {
    return title;
  }

  Optional<Published> published() {
    return Optional.ofNullable(published);
  }

  /** The directory of its sources. */
  Path directory() {
    return DIRECTORY.resolve(module);
  }

  /** Why it cannot be run here; empty if it can. */
  Optional<String> missing() {
    if (this == QUARKUS_NATIVE) {
      return nativeImage().isPresent()
          ? Optional.empty()
          : Optional.of("not run: not built (no native-image)");
    }
    var built = main == null ? quarkusJar() : target().resolve("classpath");
    return Files.exists(built)
        ? Optional.empty()
        : Optional.of("not run: not built (no " + built + ", see docs/benchmarks.md)");
  }

  /**
   * Starts it and returns once it accepts connections. The caller closes it.
   *
   * @param jvm options, as of its heap
   * @throws IOException if it ended before that
   */
  ServerProcess start(boolean documentCache, ServerProcess.Cores cores, List<String> jvm)
      throws IOException {
    var port = ServerProcess.freePort();
    var options = ServerProcess.with(jvm, "-Dport=" + port, "-Ddocument.cache=" + documentCache);
    if (this == QUARKUS_NATIVE) {
      return ServerProcess.program(port, cores, nativeImage().orElseThrow(), options);
    }
    var program =
        main == null
            ? List.of("-jar", quarkusJar().toString())
            : List.of("-cp", classPath(), "dev.evita.candidates." + main);
    return ServerProcess.jvm(port, cores, options, program);
  }

  /** The release of the library that it stands for; for a snapshot of this project, that. */
  String version() throws IOException {
    var version = Pattern.compile(Pattern.quote(library) + "-([0-9][^/:]*)\\.jar");
    for (var jar : jars()) {
      var matcher = version.matcher(jar.getFileName().toString());
      if (matcher.matches()) {
        return matcher.group(1);
      }
    }
    throw new IOException("no " + library + " among the jars of " + module);
  }

  /** All that it brings along, without the shared echo API's module itself. */
  List<Path> jars() throws IOException {
    if (main == null) {
      try (var files = Files.walk(target().resolve("quarkus-app").resolve("lib"))) {
        return files.filter(file -> file.toString().endsWith(".jar")).toList();
      }
    }
    return List.of(Files.readString(target().resolve("classpath")).split(":", -1)).stream()
        .map(Path::of)
        .toList();
  }

  private String classPath() throws IOException {
    return target().resolve("classes") + ":" + Files.readString(target().resolve("classpath"));
  }

  private Path target() {
    return directory().resolve("target");
  }

  private Path quarkusJar() {
    return target().resolve("quarkus-app").resolve("quarkus-run.jar");
  }

  /** The native image, if the build found {@code native-image}. */
  private Optional<Path> nativeImage() {
    if (Files.notExists(target())) {
      return Optional.empty();
    }
    try (var files = Files.list(target())) {
      return files.filter(file -> file.toString().endsWith("-runner")).findAny();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
