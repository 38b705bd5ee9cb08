// SPDX-License-Identifier: Apache-2.0
package dev.evita.server;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.dataformat.yaml.YAMLFactory;

/**
 * Reads a configuration file: one flat YAML map. It reads tokens rather than a tree, because only
 * tokens have line numbers.
 */
final class YamlFile {

  private final Path file;
  private final ConfigurationKeys keys;
  private final JsonParser parser;
  private final Map<String, Setting> settings = new LinkedHashMap<>();

  private YamlFile(Path file, ConfigurationKeys keys, JsonParser parser) {
    this.file = file;
    this.keys = keys;
    this.parser = parser;
  }

  /**
   * Reads the settings by key.
   *
   * @throws EvitaException {@code INVALID_CONFIGURATION}, naming file and line
   */
  static Map<String, Setting> read(Path file, ConfigurationKeys keys) {
    var text = text(file);
    try (var parser = new YAMLFactory().createParser(ObjectReadContext.empty(), text)) {
      return new YamlFile(file, keys, parser).settings();
    } catch (JacksonException e) {
      var line = e.getLocation() == null ? 1 : e.getLocation().getLineNr();
      var reason = e.getOriginalMessage().lines().findFirst().orElse("it cannot be parsed");
      throw new EvitaException(
          ErrorCode.INVALID_CONFIGURATION, file + ":" + line + ": this is not YAML: " + reason, e);
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (NoSuchFileException e) {
      throw new EvitaException(
          ErrorCode.INVALID_CONFIGURATION,
          "configuration file " + file + " does not exist; check --config or EVITA_CONFIG",
          e);
    } catch (IOException e) {
      throw new EvitaException(
          ErrorCode.INVALID_CONFIGURATION,
          "configuration file "
              + file
              + " cannot be read as UTF-8 text; check its encoding and permissions",
          e);
    }
  }

  private Map<String, Setting> settings() {
    var first = parser.nextToken();
    if (first == null) {
      return settings;
    }
    if (first != JsonToken.START_OBJECT) {
      throw refused("expected lines such as 'port: 5555'");
    }
    while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
      setting();
    }
    if (parser.nextToken() != null) {
      throw refused("expected one YAML document, not several");
    }
    return settings;
  }

  private void setting() {
    var name = parser.currentName();
    var source = source();
    var key = keys.find(name);
    if (key.isEmpty()) {
      throw refused("unknown key '" + name + "'" + keys.hint(name));
    }
    if (settings.put(key.get().name(), new Setting(source, value(name))) != null) {
      throw refused("key '" + name + "' occurs twice; remove one");
    }
  }

  private Setting.Value value(String name) {
    return switch (parser.nextToken()) {
      case START_OBJECT -> new Setting.Pairs(pairs(name));
      case START_ARRAY -> new Setting.Items(items(name));
      default -> new Setting.Text(scalar(name));
    };
  }

  private Map<String, String> pairs(String name) {
    var pairs = new LinkedHashMap<String, String>();
    while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
      var key = parser.currentName();
      parser.nextToken();
      if (pairs.put(key, scalar(name)) != null) {
        throw refused("'" + key + "' occurs twice in '" + name + "'; remove one");
      }
    }
    return pairs;
  }

  private List<String> items(String name) {
    var items = new ArrayList<String>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      items.add(scalar(name));
    }
    return items;
  }

  private String scalar(String name) {
    var token = parser.currentToken();
    if (token == JsonToken.VALUE_NULL) {
      throw refused("key '" + name + "' has no value; set one or remove the line");
    }
    if (!token.isScalarValue()) {
      throw refused("key '" + name + "' is nested too deeply; expected single values");
    }
    return parser.getString();
  }

  private String source() {
    return file + ":" + parser.currentTokenLocation().getLineNr();
  }

  private EvitaException refused(String message) {
    return new EvitaException(ErrorCode.INVALID_CONFIGURATION, source() + ": " + message);
  }
}
