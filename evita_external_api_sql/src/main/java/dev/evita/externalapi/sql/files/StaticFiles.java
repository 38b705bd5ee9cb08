// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.sql.files;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.exchange.Exchange;
import dev.evita.externalapi.core.exchange.Request;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The files of a directory, with {@code ETag}, {@code Range} (RFC 9110, section 14) and variants
 * that are compressed beside them: {@code app.js.br}, {@code app.js.zst}, {@code app.js.gz}.
 *
 * <p>Names that begin with a dot are not served, nor what a symbolic link outside the directory
 * refers to. Immutable and thread-safe; its methods block.
 */
public final class StaticFiles {

  /** Codings by the suffix of a variant, the best first. */
  private static final Map<String, String> CODINGS = new LinkedHashMap<>();

  static {
    CODINGS.put(".br", "br");
    CODINGS.put(".zst", "zstd");
    CODINGS.put(".gz", "gzip");
  }

  private final Path root;

  /** A file to send, and the coding of its bytes; null for none. */
  private record Found(Path file, BasicFileAttributes attributes, @Nullable String coding) {
    String tag() {
      return "\"%x-%x%s\""
          .formatted(
              attributes.lastModifiedTime().toMillis(),
              attributes.size(),
              coding == null ? "" : "-" + coding);
    }
  }

  private StaticFiles(Path root) {
    this.root = root;
  }

  /**
   * Opens a directory.
   *
   * @throws EvitaException {@code INVALID_CONFIGURATION} if it is none
   */
  public static StaticFiles in(Path directory) {
    try {
      var root = directory.toRealPath();
      if (Files.isDirectory(root)) {
        return new StaticFiles(root);
      }
    } catch (IOException e) {
      // refused below
    }
    throw new EvitaException(
        ErrorCode.INVALID_CONFIGURATION,
        "static-files is '"
            + directory
            + "', which is no directory; create it, or correct the path");
  }

  /**
   * Sends the file of a path, or {@code index.html} of a directory.
   *
   * @param path as requested, with its first slash
   * @param headers adds headers to the response, before it is sent
   * @return false if there is none
   */
  public boolean send(Exchange exchange, String path, int status, Runnable headers) {
    try {
      var file = resolve(path);
      if (file != null && Files.isDirectory(file)) {
        if (!path.endsWith("/")) {
          redirect(exchange, path + "/", headers);
          return true;
        }
        file = file.resolve("index.html");
      } else if (path.endsWith("/")) {
        return false;
      }
      if (file == null || !isInside(file)) {
        return false;
      }
      headers.run();
      send(exchange, file, status);
      return true;
    } catch (IOException e) {
      throw new EvitaException(
          ErrorCode.INTERNAL, "A static file cannot be read; see the server's log", e);
    }
  }

  private static void redirect(Exchange exchange, String path, Runnable headers) {
    headers.run();
    var encoded = URI.create("/").resolve(encoded(path)).getRawPath();
    var first = 0;
    while (encoded.startsWith("//", first)) {
      first++; // the path was decoded; two slashes at its start would be another host
    }
    var query = exchange.request().query();
    exchange
        .response()
        .header("Location", encoded.substring(first) + (query.isEmpty() ? "" : "?" + query));
    exchange.response().respond(308, "text/plain; charset=utf-8").end();
  }

  private static String encoded(String path) {
    try {
      return new URI(null, null, path, null).getRawPath();
    } catch (URISyntaxException e) {
      return "/";
    }
  }

  /** Null for a path that names no file of the directory, whatever exists there. */
  private @Nullable Path resolve(String path) {
    var file = root;
    for (var part : path.substring(1).split("/", -1)) {
      if (part.isEmpty()) {
        continue;
      }
      if (part.startsWith(".")
          || part.indexOf('\\') >= 0
          || part.indexOf('\0') >= 0
          || part.toLowerCase(Locale.ROOT).contains("%2f")) {
        return null;
      }
      try {
        file = file.resolve(part);
      } catch (InvalidPathException e) {
        return null;
      }
    }
    return path.contains("//") ? null : file;
  }

  /** Whether it is a file, and a symbolic link to it stays within the directory. */
  private boolean isInside(Path file) throws IOException {
    return Files.isRegularFile(file) && file.toRealPath().startsWith(root);
  }

  private Found choose(Request request, Path file) throws IOException {
    var accepted = request.header("Accept-Encoding");
    if (accepted != null && request.header("Range") == null) {
      for (var coding : CODINGS.entrySet()) {
        var variant = file.resolveSibling(file.getFileName() + coding.getKey());
        if (accepts(accepted, coding.getValue()) && isInside(variant)) {
          return new Found(variant, attributes(variant), coding.getValue());
        }
      }
    }
    return new Found(file, attributes(file), null);
  }

  private static BasicFileAttributes attributes(Path file) throws IOException {
    return Files.readAttributes(file, BasicFileAttributes.class, new LinkOption[0]);
  }

  private static boolean accepts(String accepted, String coding) {
    for (var each : accepted.split(",", -1)) {
      var parts = each.strip().split(";", 2);
      if (parts[0].strip().equalsIgnoreCase(coding)) {
        return parts.length == 1 || !isZero(parts[1].strip());
      }
    }
    return false;
  }

  /** Whether a weight is zero: {@code q=0}, {@code q=0.000}. */
  private static boolean isZero(String weight) {
    return weight.startsWith("q=0") && weight.chars().skip(3).allMatch(c -> c == '.' || c == '0');
  }

  private void send(Exchange exchange, Path file, int status) throws IOException {
    var request = exchange.request();
    var found = choose(request, file);
    var type = FileTypes.of(file.getFileName().toString());
    BiConsumer<String, String> header = exchange.response()::header;
    header.accept("ETag", found.tag());
    header.accept("Accept-Ranges", "bytes");
    header.accept("Vary", "Accept-Encoding");
    header.accept("Cache-Control", "no-cache");
    header.accept("X-Content-Type-Options", "nosniff");
    if (found.coding() != null) {
      header.accept("Content-Encoding", found.coding());
    }
    if (status == 200 && isKnown(request, found)) {
      exchange.response().respond(304, type).end();
      return;
    }
    var size = found.attributes().size();
    var ranged = status == 200 && request.method().equals("GET") && isSame(request, found);
    var range = ranged ? ByteRange.parse(request.header("Range"), size) : null;
    if (range == null) {
      new FileSender(exchange, found.file(), 0, size)
          .start(status, type, found.coding() != null || !FileTypes.isCompressible(type));
    } else if (range.isEmpty()) {
      header.accept("Content-Range", "bytes */" + size);
      exchange.response().respond(416, "text/plain; charset=utf-8").end();
    } else {
      header.accept("Content-Range", range.header(size));
      new FileSender(exchange, found.file(), range.first(), range.length()).start(206, type, true);
    }
  }

  private static boolean isKnown(Request request, Found found) {
    var known = request.header("If-None-Match");
    return known != null
        && (known.strip().equals("*")
            || List.of(known.split(",", -1)).stream()
                .map(String::strip)
                .map(tag -> tag.startsWith("W/") ? tag.substring(2) : tag)
                .anyMatch(found.tag()::equals));
  }

  /** A range of a file that has changed meanwhile would not fit the client's other parts. */
  private static boolean isSame(Request request, Found found) {
    var condition = request.header("If-Range");
    return condition == null || condition.equals(found.tag());
  }
}
