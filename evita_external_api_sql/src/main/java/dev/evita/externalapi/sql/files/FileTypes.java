// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.sql.files;

import java.util.Locale;
import java.util.Map;

/** The content types of files by their extensions, as registered by IANA. */
final class FileTypes {

  private static final Map<String, String> TYPES =
      Map.ofEntries(
          Map.entry("avif", "image/avif"),
          Map.entry("css", "text/css; charset=utf-8"),
          Map.entry("csv", "text/csv; charset=utf-8"),
          Map.entry("gif", "image/gif"),
          Map.entry("htm", "text/html; charset=utf-8"),
          Map.entry("html", "text/html; charset=utf-8"),
          Map.entry("ico", "image/vnd.microsoft.icon"),
          Map.entry("jpeg", "image/jpeg"),
          Map.entry("jpg", "image/jpeg"),
          Map.entry("js", "text/javascript; charset=utf-8"),
          Map.entry("json", "application/json"),
          Map.entry("map", "application/json"),
          Map.entry("md", "text/markdown; charset=utf-8"),
          Map.entry("mjs", "text/javascript; charset=utf-8"),
          Map.entry("mp3", "audio/mpeg"),
          Map.entry("mp4", "video/mp4"),
          Map.entry("otf", "font/otf"),
          Map.entry("pdf", "application/pdf"),
          Map.entry("png", "image/png"),
          Map.entry("svg", "image/svg+xml"),
          Map.entry("ttf", "font/ttf"),
          Map.entry("txt", "text/plain; charset=utf-8"),
          Map.entry("wasm", "application/wasm"),
          Map.entry("webm", "video/webm"),
          Map.entry("webmanifest", "application/manifest+json"),
          Map.entry("webp", "image/webp"),
          Map.entry("woff", "font/woff"),
          Map.entry("woff2", "font/woff2"),
          Map.entry("xml", "application/xml"),
          Map.entry("zip", "application/zip"));

  private FileTypes() {}

  static String of(String name) {
    var extension = name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
    return TYPES.getOrDefault(extension, "application/octet-stream");
  }

  /**
   * Whether the server may compress it while it is sent, so that its length is not known before.
   */
  static boolean isCompressible(String type) {
    return type.startsWith("text/") || type.contains("json") || type.contains("xml");
  }
}
