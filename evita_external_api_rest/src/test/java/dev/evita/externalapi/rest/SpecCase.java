// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A request and its expected response, as a block of a text file:
 *
 * <pre>
 *   POST /brands?select=id
 *   Prefer: return=representation
 *   {"name": "Acme"}
 *   201 [{"id":1}]
 *   Content-Range: *&#47;*
 * </pre>
 *
 * @param body null for none; {@code \n} in it ends a line
 * @param expected JSON, other text, a part of the body behind {@code ~}, {@code -} for no body, or
 *     empty if irrelevant
 * @param expectedHeaders with an empty value for those that must not be there
 */
record SpecCase(
    String method,
    String target,
    Map<String, String> headers,
    @Nullable String body,
    int status,
    String expected,
    Map<String, String> expectedHeaders) {

  private static final Pattern HEADER = Pattern.compile("([A-Z][A-Za-z-]+): ?(.*)");
  private static final Pattern STATUS = Pattern.compile("([0-9]{3})(?: (.*))?");

  /** All blocks of a file. */
  static Stream<SpecCase> read(Path file) {
    try {
      return Stream.of(Files.readString(file).split("\n\n"))
          .map(block -> block.lines().filter(line -> !line.startsWith("#")).toList())
          .filter(lines -> !lines.isEmpty())
          .map(SpecCase::of);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static SpecCase of(List<String> lines) {
    var space = lines.getFirst().indexOf(' ');
    var headers = new LinkedHashMap<String, String>();
    var expectedHeaders = new LinkedHashMap<String, String>();
    var body = new ArrayList<String>();
    var status = 0;
    var expected = "";
    for (var line : lines.subList(1, lines.size())) {
      var header = HEADER.matcher(line);
      var answer = STATUS.matcher(line);
      if (header.matches()) {
        var target = status == 0 ? headers : expectedHeaders;
        target.merge(header.group(1), header.group(2), (one, other) -> one + ", " + other);
      } else if (answer.matches()) {
        status = Integer.parseInt(answer.group(1));
        expected = answer.group(2) == null ? "" : answer.group(2);
      } else {
        body.add(line);
      }
    }
    return new SpecCase(
        lines.getFirst().substring(0, space),
        lines.getFirst().substring(space + 1),
        headers,
        body.isEmpty() ? null : lined(String.join("\n", body)),
        status,
        lined(expected),
        expectedHeaders);
  }

  /** JSON has escapes of its own. */
  private static String lined(String text) {
    return text.startsWith("[") || text.startsWith("{") ? text : text.replace("\\n", "\n");
  }

  @Override
  public String toString() {
    return method + " " + target + (body == null ? "" : " " + body);
  }
}
