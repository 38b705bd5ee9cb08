// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import io.grpc.reflection.v1.ServerReflectionRequest;
import io.grpc.reflection.v1.ServiceResponse;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The files that are served compile with protobuf's own compiler, of today and of Debian 12, and
 * are equal to those of reflection.
 */
@Tag("tools")
final class ProtocIT {

  private static final Path TOOLS = Path.of("target", "protoc").toAbsolutePath();

  @TempDir private Path directory;

  /** Maven copies them as they are in its repository, where nothing can be run. */
  @BeforeAll
  static void makeToolsExecutable() throws IOException {
    try (var tools = Files.list(TOOLS)) {
      assertThat(tools.toList())
          .hasSize(3)
          .allSatisfy(tool -> assertThat(tool.toFile().setExecutable(true)).isTrue());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"h2", "sqlite", "postgresql"})
  void files_ofNastyNames_compile(String kind) throws Exception {
    try (var server = GrpcServer.over(kind, NastyNames.script(kind))) {
      assertThat(written(server)).hasSize(1);
      generateAll();
      compileJava("Message");
    }
  }

  @Test
  void files_ofNastySchemas_compile() throws Exception {
    try (var server = GrpcServer.over("postgresql", NastyNames.schemas())) {
      assertThat(written(server)).hasSizeGreaterThan(9);
      generateAll();
      compileJava("Health");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"h2", "sqlite", "postgresql"})
  void file_ofAllTypes_compiles(String kind) throws Exception {
    try (var server = GrpcServer.over(kind, AllTypes.script(kind))) {
      assertThat(written(server)).hasSize(1);
      generateAll();
      compileJava("Kinds");
    }
  }

  @Test
  void file_ofManyTables_compiles() throws Exception {
    try (var server = GrpcServer.over("h2", NastyNames.large())) {
      assertThat(written(server).values().iterator().next().getServiceList()).hasSize(601);
    }
  }

  @Test
  void file_ofTableThatHasLostColumns_compiles() throws Exception {
    var script = "create table pets (id int primary key, a int, b int, name varchar(20), c int);\n";
    try (var server = GrpcServer.over("h2", script)) {
      written(server);
      server.change("alter table pets drop column b;\nalter table pets drop column c");
      var row =
          written(server).values().iterator().next().getMessageTypeList().stream()
              .filter(message -> message.getName().equals("PetsRow"))
              .findFirst()
              .orElseThrow();
      assertThat(row.getReservedRangeList()).extracting("start").containsExactly(3, 5);
    }
  }

  /**
   * Writes the files into the directory, and compares what both compilers make of each with what
   * reflection returns.
   */
  private Map<String, FileDescriptorProto> written(GrpcServer server) throws Exception {
    var files = new LinkedHashMap<String, FileDescriptorProto>();
    try (var client = new ReflectingClient(server.port())) {
      var list = ServerReflectionRequest.newBuilder().setListServices("").build();
      for (ServiceResponse service :
          client.reflect(list).getListServicesResponse().getServiceList()) {
        if (!service.getName().startsWith("grpc.health.v1.")
            && !service.getName().startsWith("grpc.reflection.")
            && !service.getName().startsWith("evita.v1.")) {
          var name = service.getName().substring(0, service.getName().indexOf('.')) + ".proto";
          if (!files.containsKey(name)) {
            files.put(name, reflected(client, name));
          }
        }
      }
    }
    for (var file : files.entrySet()) {
      Files.writeString(directory.resolve(file.getKey()), server.get("/grpc/" + file.getKey()));
      assertThat(compiled("protoc", file.getKey())).isEqualTo(file.getValue());
      assertThat(compiled("protoc-old", file.getKey())).isEqualTo(file.getValue());
    }
    return files;
  }

  private static FileDescriptorProto reflected(ReflectingClient client, String name)
      throws Exception {
    var request = ServerReflectionRequest.newBuilder().setFileByFilename(name).build();
    var response = client.reflect(request).getFileDescriptorResponse();
    assertThat(response.getFileDescriptorProtoCount()).isEqualTo(1);
    return FileDescriptorProto.parseFrom(response.getFileDescriptorProto(0)).toBuilder()
        .clearSourceCodeInfo()
        .build();
  }

  private FileDescriptorProto compiled(String compiler, String file) throws Exception {
    run(TOOLS.resolve(compiler).toString(), "--descriptor_set_out=set", "-I.", file);
    var set = FileDescriptorSet.parseFrom(Files.readAllBytes(directory.resolve("set")));
    return set.getFile(0);
  }

  /** For all languages that the compiler supports. */
  private void generateAll() throws Exception {
    var command = new ArrayList<String>();
    command.addAll(List.of(TOOLS.resolve("protoc").toString(), "-I."));
    for (var language :
        List.of("java", "kotlin", "python", "pyi", "cpp", "csharp", "objc", "php", "ruby")) {
      Files.createDirectories(directory.resolve(language));
      command.add("--" + language + "_out=" + language);
    }
    command.addAll(matching(directory, ".proto", 1));
    run(command.toArray(String[]::new));
  }

  /** The code generated for Java and grpc-java for a service and its imports compiles. */
  private void compileJava(String service) throws Exception {
    var sources = directory.resolve("java");
    var command = new ArrayList<String>();
    command.add(TOOLS.resolve("protoc").toString());
    command.add("--plugin=protoc-gen-grpc-java=" + TOOLS.resolve("protoc-gen-grpc-java"));
    command.addAll(List.of("-I.", "--grpc-java_out=" + sources));
    command.addAll(matching(directory, ".proto", 1));
    run(command.toArray(String[]::new));

    var compiler = ToolProvider.getSystemJavaCompiler();
    var messages = new StringWriter();
    var options =
        List.of(
            "-d",
            directory.resolve("classes").toString(),
            "-nowarn",
            "-proc:none",
            "-sourcepath",
            sources.toString(),
            "-cp",
            System.getProperty("java.class.path"));
    try (var files = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
      var units =
          files.getJavaFileObjects(
              matching(sources, "/" + service + "Grpc.java", 9).toArray(String[]::new));
      var ended = compiler.getTask(messages, files, null, options, null, units).call();
      assertThat(ended).as(messages.toString()).isTrue();
    }
  }

  private List<String> matching(Path below, String suffix, int depth) throws IOException {
    try (var files = Files.walk(below, depth)) {
      return files
          .filter(file -> file.toString().endsWith(suffix))
          .map(file -> depth == 1 ? file.getFileName().toString() : file.toString())
          .toList();
    }
  }

  private void run(String... command) throws Exception {
    var output = directory.resolve("output.txt");
    var process =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
      assertThat(process.exitValue()).as(Files.readString(output)).isZero();
      assertThat(output).content().isEmpty();
    } finally {
      process.destroyForcibly();
    }
  }
}
