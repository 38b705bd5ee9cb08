// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.sql.declaration;

import dev.evita.api.DataType;
import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.carpool.CarpoolMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Parses the comment lines at the beginning of a handler, {@code -- key: value}. Other comments
 * before the first statement are ignored.
 */
public final class DeclarationParser {

  /** The columns that every request has. */
  public static final Set<String> REQUEST =
      Set.of(
          "id", "method", "path", "query_string", "headers", "body", "remote_address", "principal");

  /** The columns of the response, which handlers of {@link Stage#AFTER} read. */
  public static final Set<String> RESPONSE =
      Set.of("response_status", "response_headers", "response_body", "response_content_type");

  private static final Pattern LINE = Pattern.compile("--\\s*(?<key>[a-z-]+):\\s*(?<value>.*)");
  private static final Pattern DURATION =
      Pattern.compile("(?<number>[1-9][0-9]{0,5})(?<unit>ms|s|m)");
  private static final List<String> READING = List.of("GET", "HEAD", "QUERY");

  private final String name;
  private final String text;
  private final List<RoutePattern> routes = new ArrayList<>();
  private final List<DeclaredInput> inputs = new ArrayList<>();
  private int priority;
  private @Nullable Boolean readOnly;
  private @Nullable Duration timeout;
  private Stage stage = Stage.HANDLER;
  private boolean live;
  private boolean setBased;
  private @Nullable String conflictKey;
  private @Nullable CarpoolMode carpool;
  private int line;

  private DeclarationParser(String name, String text) {
    this.name = name;
    this.text = text;
  }

  /**
   * Parses a handler.
   *
   * @throws EvitaException {@code INVALID_CONFIGURATION}, with name and line
   */
  public static HandlerDeclaration parse(String name, String text) {
    return new DeclarationParser(name, text).parse();
  }

  private HandlerDeclaration parse() {
    for (var each : text.lines().map(String::strip).toList()) {
      line++;
      if (!each.isEmpty() && !each.startsWith("--")) {
        break;
      }
      var declaration = LINE.matcher(each);
      if (declaration.matches()) {
        declare(declaration.group("key"), declaration.group("value").strip());
      }
    }
    if (routes.isEmpty()) {
      routes.add(RoutePattern.ANY);
    }
    routes.forEach(this::addGroups);
    requireDistinctNames();
    var reads = readOnly == null ? isReading() : readOnly;
    if (live && !reads) {
      throw fault("a live handler is read-only; add '-- read-only: true'");
    }
    return new HandlerDeclaration(
        name, text, routes, priority, reads, timeout, stage, live, setBased(), inputs);
  }

  private HandlerDeclaration.@Nullable SetBased setBased() {
    if (!setBased) {
      if (conflictKey != null || carpool != null) {
        throw fault(
            "conflict-key and carpool are for handlers of many requests; add '-- set-based: true',"
                + " or remove them");
      }
      return null;
    }
    if (live || stage != Stage.HANDLER) {
      throw fault("a set-based handler can be neither live nor before or after others");
    }
    if (inputs.stream()
        .anyMatch(
            input -> input.name().equals(conflictKey) && input.type() == DataType.Scalar.JSON)) {
      throw fault(
          "the conflict-key is JSON, whose values cannot be compared; choose another input");
    }
    if (conflictKey != null
        && inputs.stream().noneMatch(input -> input.name().equals(conflictKey))) {
      throw fault(
          "the conflict-key '"
              + conflictKey
              + "' is no declared input; expected the name of a path group or another input");
    }
    return new HandlerDeclaration.SetBased(conflictKey, carpool);
  }

  /** Requests by these methods are expected to change nothing (RFC 9110, section 9.2.1). */
  private boolean isReading() {
    return routes.stream()
        .allMatch(route -> route.method() == null || READING.contains(route.method()));
  }

  private EvitaException fault(String message) {
    return HandlerDeclaration.fault(name, line, message);
  }

  private void declare(String key, String value) {
    try {
      switch (key) {
        case "route" -> routes.add(RoutePattern.parse(value));
        case "priority" -> priority = number(value);
        case "read-only" -> readOnly = flag(value);
        case "timeout" -> timeout = duration(value);
        case "stage" -> stage = stage(value);
        case "live" -> live = flag(value);
        case "set-based" -> setBased = flag(value);
        case "conflict-key" -> {
          if (conflictKey != null) {
            throw new IllegalArgumentException("a handler has one conflict-key; remove the other");
          }
          conflictKey = value;
        }
        case "carpool" -> carpool = mode(value);
        case "path", "query", "form", "json", "header", "cookie" ->
            inputs.add(
                DeclaredInput.parse(InputSource.valueOf(key.toUpperCase(Locale.ROOT)), value));
        case "role" ->
            throw new IllegalArgumentException(
                "role is not supported yet, as there is no authentication; remove the line, and"
                    + " restrict access in front of the server");
        default ->
            throw new IllegalArgumentException(
                "'"
                    + key
                    + "' is no declaration; expected route, priority, read-only, timeout, stage,"
                    + " live, set-based, conflict-key, carpool, path, query, form, json, header or cookie (a comment has no colon"
                    + " after its first word)");
      }
    } catch (IllegalArgumentException e) {
      throw fault(String.valueOf(e.getMessage()));
    }
  }

  private static int number(String value) {
    try {
      return Integer.parseInt(value);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "priority is '" + value + "'; expected an integer such as 1", e);
    }
  }

  private static boolean flag(String value) {
    return switch (value) {
      case "true" -> true;
      case "false" -> false;
      default -> throw new IllegalArgumentException("'" + value + "' is neither true nor false");
    };
  }

  private static Duration duration(String value) {
    var parts = DURATION.matcher(value);
    if (!parts.matches()) {
      throw new IllegalArgumentException(
          "timeout is '" + value + "'; expected a duration such as 500ms, 2s or 1m");
    }
    var number = Long.parseLong(parts.group("number"));
    return switch (parts.group("unit")) {
      case "ms" -> Duration.ofMillis(number);
      case "s" -> Duration.ofSeconds(number);
      default -> Duration.ofMinutes(number);
    };
  }

  private static CarpoolMode mode(String value) {
    return switch (value) {
      case "auto" -> CarpoolMode.AUTO;
      case "on" -> CarpoolMode.ON;
      case "off" -> CarpoolMode.OFF;
      default ->
          throw new IllegalArgumentException(
              "carpool is '" + value + "'; expected auto, on or off");
    };
  }

  private static Stage stage(String value) {
    return switch (value) {
      case "before" -> Stage.BEFORE;
      case "handler" -> Stage.HANDLER;
      case "after" -> Stage.AFTER;
      default ->
          throw new IllegalArgumentException(
              "stage is '" + value + "'; expected before, handler or after");
    };
  }

  /** A path group without a declaration is a text. All routes of a handler have the same groups. */
  private void addGroups(RoutePattern route) {
    var first = routes.getFirst();
    if (!Set.copyOf(route.groups()).equals(Set.copyOf(first.groups()))) {
      throw fault(
          "the routes '%s' and '%s' have different path groups; make two handlers of them"
              .formatted(first, route));
    }
    for (var group : route.groups()) {
      if (inputs.stream().noneMatch(input -> isGroup(input) && input.name().equals(group))) {
        inputs.add(DeclaredInput.parse(InputSource.PATH, group));
      }
    }
    for (var input : inputs) {
      if (isGroup(input) && !route.groups().contains(input.name())) {
        throw fault(
            "the route '%s' has no group :%s; add it to the path, or remove the declaration"
                .formatted(route, input.name()));
      }
    }
  }

  private static boolean isGroup(DeclaredInput input) {
    return input.source() == InputSource.PATH;
  }

  private void requireDistinctNames() {
    var names = new HashSet<String>();
    for (var input : inputs) {
      if (REQUEST.contains(input.name()) || RESPONSE.contains(input.name())) {
        throw fault("'" + input.name() + "' is a column of request already; choose another name");
      }
      if (!names.add(input.name())) {
        throw fault("the input '" + input.name() + "' is declared twice; rename one of them");
      }
    }
  }
}
