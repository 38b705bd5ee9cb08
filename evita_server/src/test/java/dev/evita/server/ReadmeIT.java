// SPDX-License-Identifier: Apache-2.0
package dev.evita.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The README's examples work as shown. */
final class ReadmeIT {

  private static final Path README = Path.of("..", "README.md");

  @TempDir private Path directory;

  @Test
  void embedding_example_compilesAndRuns() throws Exception {
    var compiler = ToolProvider.getSystemJavaCompiler();
    assumeTrue(compiler != null, "this Java has no compiler");
    var source = Files.writeString(directory.resolve("Snippet.java"), program(block("java")));
    var messages = new StringWriter();
    var options = List.of("-d", directory.toString(), "-cp", System.getProperty("java.class.path"));
    try (var files = compiler.getStandardFileManager(null, null, null)) {
      var units = files.getJavaFileObjects(source);
      var compiled = compiler.getTask(messages, files, null, options, null, units).call();
      assertThat(compiled).as(messages.toString()).isTrue();
    }

    try (var loader = new URLClassLoader(new URL[] {directory.toUri().toURL()})) {
      loader.loadClass("Snippet").getMethod("run").invoke(null);
    }
  }

  @Test
  void links_toFiles_areNotBroken() throws IOException {
    var links = Pattern.compile("]\\(([^)#:]+)\\)").matcher(Files.readString(README));

    assertThat(links.results().map(link -> README.resolveSibling(link.group(1))))
        .isNotEmpty()
        .allSatisfy(file -> assertThat(file).exists());
  }

  /** Imports stay at the top; the rest is moved to a method. */
  private static String program(String snippet) {
    var imports = snippet.lines().filter(line -> line.startsWith("import ")).toList();
    var body = snippet.lines().filter(line -> !line.startsWith("import ")).toList();
    return String.join("\n", imports)
        + "\npublic final class Snippet {\n  public static void run() throws Exception {\n"
        + String.join("\n", body)
        + "\n  }\n}\n";
  }

  private static String block(String language) throws IOException {
    var block =
        Pattern.compile("```" + language + "\\n(.*?)```", Pattern.DOTALL)
            .matcher(Files.readString(README));
    assertThat(block.find()).isTrue();
    return block.group(1);
  }
}
