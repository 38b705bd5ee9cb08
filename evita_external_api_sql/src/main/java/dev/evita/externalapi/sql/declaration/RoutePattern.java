// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.sql.declaration;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The requests that a handler is for: a method and a pattern of paths.
 *
 * <p>{@code GET /users/:handle} has a group, which matches one segment that is not empty; {@code
 * /files/*path} ends with a group that matches all segments that follow, at least one. Without a
 * method, a pattern matches all of them; {@code GET} matches {@code HEAD} as well.
 *
 * @param method null for any
 * @param segments the parts of the path after its first slash; {@code /} has one, which is empty
 */
public record RoutePattern(@Nullable String method, List<Segment> segments) {

  /** Any method and any path. */
  public static final RoutePattern ANY =
      new RoutePattern(null, List.of(new Segment(Kind.REST, "")));

  private static final Pattern METHOD = Pattern.compile("[A-Z][A-Z0-9-]*");
  private static final Pattern NAME = Pattern.compile("[a-z_][a-z0-9_]*");

  /** The kinds of segments, the most specific first. */
  public enum Kind {
    LITERAL,
    GROUP,
    REST
  }

  /**
   * A segment.
   *
   * @param text of a literal; else the name of the group, empty for none
   */
  public record Segment(Kind kind, String text) {}

  public RoutePattern {
    segments = List.copyOf(segments);
  }

  /**
   * Parses a pattern.
   *
   * @throws IllegalArgumentException with the value, what was expected, and the remedy
   */
  public static RoutePattern parse(String text) {
    var blank = text.indexOf(' ');
    var method = blank < 0 ? null : text.substring(0, blank);
    var path = text.substring(blank + 1).strip();
    if (method != null && !METHOD.matcher(method).matches()) {
      throw new IllegalArgumentException(
          "'" + method + "' is no method; expected GET, POST or the like in upper case");
    }
    if (!path.startsWith("/")) {
      throw new IllegalArgumentException(
          "'" + text + "' is no route; expected a method and a path, as in GET /users/:handle");
    }
    var segments = new ArrayList<Segment>();
    for (var part : path.substring(1).split("/", -1)) {
      if (!segments.isEmpty() && segments.getLast().kind() == Kind.REST) {
        throw new IllegalArgumentException(
            "'"
                + path
                + "' continues after *"
                + segments.getLast().text()
                + "; move it to the end");
      }
      segments.add(segment(part));
    }
    return new RoutePattern(method, segments);
  }

  private static Segment segment(String part) {
    var kind = part.startsWith(":") ? Kind.GROUP : part.startsWith("*") ? Kind.REST : Kind.LITERAL;
    if (kind == Kind.LITERAL) {
      return new Segment(kind, part);
    }
    var name = part.substring(1);
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "'" + part + "' is no path group; expected a colon and a name in lower case, as in :id");
    }
    return new Segment(kind, name);
  }

  /** The names of the groups, in the order of the path. */
  public List<String> groups() {
    return segments.stream()
        .filter(segment -> segment.kind() != Kind.LITERAL && !segment.text().isEmpty())
        .map(Segment::text)
        .toList();
  }

  /**
   * The first segment that is a literal, as a path; {@code /} for a pattern that begins with a
   * group.
   */
  public String fixedPath() {
    var path = new StringBuilder();
    for (var segment : segments) {
      if (segment.kind() != Kind.LITERAL) {
        break;
      }
      path.append('/').append(segment.text());
    }
    return path.isEmpty() ? "/" : path.toString();
  }

  @Override
  public String toString() {
    var text = new StringBuilder(method == null ? "" : method + " ");
    for (var segment : segments) {
      text.append('/')
          .append(
              switch (segment.kind()) {
                case LITERAL -> "";
                case GROUP -> ":";
                case REST -> "*";
              })
          .append(segment.text());
    }
    return text.toString();
  }
}
