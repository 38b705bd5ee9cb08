// SPDX-License-Identifier: Apache-2.0
package dev.evita.spring.boot;

import dev.evita.server.EmbeddedConfiguration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;

/**
 * Writes {@code spring-configuration-metadata.json}, by which editors complete {@code evita.*}; run
 * by the build.
 */
final class ConfigurationMetadata {

  private static final String ENABLED =
      """
          {"name": "evita.enabled", "type": "java.lang.Boolean", "description": "Whether Evita serves the application's DataSource.", "defaultValue": true}\
      """;

  private ConfigurationMetadata() {}

  /** Writes the file that the only argument names. */
  public static void main(String[] arguments) throws IOException {
    var file = Path.of(arguments[0]);
    Files.createDirectories(file.toAbsolutePath().getParent());
    Files.writeString(file, text());
  }

  /** Returns the metadata of all properties. */
  static String text() {
    return EmbeddedConfiguration.keys().stream()
        .map(ConfigurationMetadata::property)
        .collect(
            Collectors.joining(
                ",\n",
                "{\n  \"groups\": [{\"name\": \"evita\"}],\n  \"properties\": [\n"
                    + ENABLED
                    + ",\n",
                "\n  ]\n}\n"));
  }

  private static String property(EmbeddedConfiguration.Key key) {
    var standard = key.defaultText();
    return "    {\"name\": \"evita.%s\", \"type\": \"%s\", \"description\": \"%s\"%s}"
        .formatted(
            key.name(),
            type(key),
            escaped(key.description()),
            standard.equals("none") ? "" : ", \"defaultValue\": " + value(key, standard));
  }

  private static String type(EmbeddedConfiguration.Key key) {
    return switch (key.form()) {
      case LIST -> "java.util.List<java.lang.String>";
      case MAP -> "java.util.Map<java.lang.String, java.lang.String>";
      case TEXT ->
          switch (key.kind()) {
            case "number" -> "java.lang.Long";
            case "true|false" -> "java.lang.Boolean";
            case "duration" -> "java.time.Duration";
            default -> "java.lang.String";
          };
    };
  }

  private static String value(EmbeddedConfiguration.Key key, String text) {
    return switch (key.kind()) {
      case "number", "true|false" -> text;
      default -> '"' + escaped(text) + '"';
    };
  }

  private static String escaped(String text) {
    return text.replace("\\", "\\\\").replace("\"", "\\\"");
  }
}
