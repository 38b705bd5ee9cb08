// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.sql.store;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The files of a directory and all below it that end in a suffix. */
public final class HandlerDirectory implements HandlerSource {

  private static final long MAX_BYTES = 1 << 20;

  private final Path directory;
  private final List<String> suffixes;
  private final String key;

  /**
   * @param key the configuration key of the directory, for messages
   */
  public HandlerDirectory(Path directory, String key, List<String> suffixes) {
    this.directory = directory;
    this.suffixes = suffixes;
    this.key = key;
  }

  @Override
  public Map<String, String> read() {
    if (!Files.isDirectory(directory)) {
      throw fault("is '" + directory + "', which is no directory; create it, or correct the path");
    }
    var texts = new TreeMap<String, String>();
    try (var files = Files.walk(directory)) {
      files
          .filter(file -> suffixes.stream().anyMatch(file.getFileName().toString()::endsWith))
          .filter(Files::isRegularFile)
          .forEach(file -> texts.put(name(file), text(file)));
      return texts;
    } catch (IOException | UncheckedIOException e) {
      throw fault("'" + directory + "' cannot be read: " + e.getMessage());
    }
  }

  private String name(Path file) {
    return directory.relativize(file).toString().replace('\\', '/');
  }

  private String text(Path file) {
    try {
      if (Files.size(file) > MAX_BYTES) {
        throw fault(": " + name(file) + " has more than " + MAX_BYTES + " bytes; make it smaller");
      }
      var text = Files.readString(file);
      return text.startsWith("\ufeff") ? text.substring(1) : text; // the mark of some editors
    } catch (MalformedInputException e) {
      throw fault(": " + name(file) + " is not valid UTF-8; save it as UTF-8");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private EvitaException fault(String what) {
    return new EvitaException(ErrorCode.INVALID_CONFIGURATION, key + " " + what);
  }
}
