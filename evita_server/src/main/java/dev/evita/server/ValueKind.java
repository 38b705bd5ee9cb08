// SPDX-License-Identifier: Apache-2.0
package dev.evita.server;

import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The syntax of a key's values, from the type of the record's component.
 *
 * @param label the placeholder of the value in {@code --help}
 * @param expected completes "expected ..." in errors
 * @param parse throws {@link IllegalArgumentException} for an invalid value
 */
record ValueKind(String label, String expected, Function<Setting.Value, Object> parse) {

  private static final Pattern DURATION = Pattern.compile("(\\d{1,12})\\s*(ms|s|m|h|d)");
  private static final Pattern SIZE = Pattern.compile("(\\d{1,18})\\s*(B|KiB|MiB|GiB)?");

  static final ValueKind TEXT = text("text", "a text", text -> text);
  static final ValueKind FILE = text("file", "the path of a file", Path::of);
  static final ValueKind NUMBER =
      text("number", "a whole number such as 100", text -> Integer.valueOf(digits(text)));
  static final ValueKind LONG_NUMBER =
      text("number", "a whole number such as 100", text -> Long.valueOf(digits(text)));
  static final ValueKind BYTES =
      text(
          "size",
          "a number of bytes below 2 GiB such as 1048576, 64KiB or 1MiB",
          text -> Math.toIntExact(bytes(text)));
  static final ValueKind LONG_BYTES =
      text("size", "a number of bytes such as 1048576, 64KiB or 1GiB", ValueKind::bytes);
  static final ValueKind DURATION_TEXT =
      text("duration", "a duration such as 500ms, 30s, 2m or 1h", ValueKind::duration);
  static final ValueKind SWITCH = text("true|false", "true or false", ValueKind::bool);
  static final ValueKind LIST = new ValueKind("a,b", "a list such as a,b", ValueKind::list);
  static final ValueKind MAP =
      new ValueKind("a=b,c=d", "pairs such as a=b,c=d, or a YAML map", ValueKind::map);

  /** The kind of a component: by its type, and by its name if it counts bytes. */
  static ValueKind of(RecordComponent component) {
    var type = component.getType();
    var bytes = component.getName().endsWith("Bytes");
    if (type == int.class) {
      return bytes ? BYTES : NUMBER;
    }
    if (type == long.class) {
      return bytes ? LONG_BYTES : LONG_NUMBER;
    }
    if (type.isEnum()) {
      return choice(type.getEnumConstants());
    }
    var kinds =
        Map.<Class<?>, ValueKind>of(
            String.class, TEXT,
            Integer.class, NUMBER,
            Path.class, FILE,
            boolean.class, SWITCH,
            Duration.class, DURATION_TEXT,
            List.class, LIST,
            Map.class, MAP);
    var kind = kinds.get(type);
    if (kind == null) {
      throw new IllegalStateException("no kind of value for " + component);
    }
    return kind;
  }

  private static ValueKind choice(Object[] constants) {
    var byName = new LinkedHashMap<String, Object>();
    for (var constant : constants) {
      byName.put(word(constant), constant);
    }
    return text(
        String.join("|", byName.keySet()),
        "one of " + String.join(", ", byName.keySet()),
        text -> {
          var constant = byName.get(text);
          if (constant == null) {
            throw new IllegalArgumentException(text);
          }
          return constant;
        });
  }

  private static String word(Object constant) {
    return constant.toString().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static ValueKind text(String label, String expected, Function<String, Object> parse) {
    return new ValueKind(
        label,
        expected,
        value -> {
          if (value instanceof Setting.Text text) {
            return parse.apply(text.text().strip());
          }
          throw new IllegalArgumentException("not a single value");
        });
  }

  private static String digits(String text) {
    // Integer.valueOf also accepts "+5" and digits of other scripts.
    if (!text.matches("-?[0-9]{1,19}")) {
      throw new IllegalArgumentException(text);
    }
    return text;
  }

  private static boolean bool(String text) {
    return switch (text) {
      case "true" -> true;
      case "false" -> false;
      default -> throw new IllegalArgumentException(text);
    };
  }

  private static long bytes(String text) {
    var match = SIZE.matcher(text);
    if (!match.matches()) {
      throw new IllegalArgumentException(text);
    }
    var unit = match.group(2) == null ? "B" : match.group(2);
    var factor = 1L << (10 * List.of("B", "KiB", "MiB", "GiB").indexOf(unit));
    return Math.multiplyExact(Long.parseLong(match.group(1)), factor);
  }

  private static Duration duration(String text) {
    var match = DURATION.matcher(text);
    if (!match.matches()) {
      throw new IllegalArgumentException(text);
    }
    var amount = Long.parseLong(match.group(1));
    return switch (match.group(2)) {
      case "ms" -> Duration.ofMillis(amount);
      case "s" -> Duration.ofSeconds(amount);
      case "m" -> Duration.ofMinutes(amount);
      case "h" -> Duration.ofHours(amount);
      default -> Duration.ofDays(amount);
    };
  }

  private static List<String> list(Setting.Value value) {
    return switch (value) {
      case Setting.Text text -> split(text.text());
      case Setting.Items items -> items.items();
      case Setting.Pairs pairs -> throw new IllegalArgumentException("a map");
    };
  }

  private static Map<String, String> map(Setting.Value value) {
    return switch (value) {
      case Setting.Text text -> pairs(split(text.text()));
      case Setting.Items items -> throw new IllegalArgumentException("a list");
      case Setting.Pairs pairs -> pairs.pairs();
    };
  }

  private static Map<String, String> pairs(List<String> texts) {
    var pairs = new LinkedHashMap<String, String>();
    for (var text : texts) {
      var equals = text.indexOf('=');
      if (equals < 1 || equals == text.length() - 1) {
        throw new IllegalArgumentException(text);
      }
      var key = text.substring(0, equals).strip();
      if (pairs.put(key, text.substring(equals + 1).strip()) != null) {
        throw new IllegalArgumentException(key + " twice");
      }
    }
    return pairs;
  }

  private static List<String> split(String text) {
    var parts = new ArrayList<String>();
    for (var part : text.split(",", -1)) {
      if (!part.isBlank()) {
        parts.add(part.strip());
      }
    }
    return parts;
  }

  /** The value in the syntax of the configuration; {@code none} if null or empty. */
  String format(@Nullable Object value) {
    return switch (value) {
      case null -> "none";
      case Duration duration -> durationText(duration);
      case List<?> list when list.isEmpty() -> "none";
      case List<?> list -> list.stream().map(String::valueOf).collect(Collectors.joining(","));
      case Map<?, ?> map when map.isEmpty() -> "none";
      case Map<?, ?> map ->
          map.entrySet().stream().map(String::valueOf).sorted().collect(Collectors.joining(","));
      case Enum<?> constant -> word(constant);
      case Number number when label.equals("size") -> sizeText(number.longValue());
      default -> value.toString();
    };
  }

  private static String durationText(Duration duration) {
    if (duration.toMillis() % 1000 != 0) {
      return duration.toMillis() + "ms";
    }
    var seconds = duration.toSeconds();
    return seconds == 0 || seconds % 60 != 0 ? seconds + "s" : minutesText(seconds / 60);
  }

  private static String minutesText(long minutes) {
    return minutes % 60 == 0 ? minutes / 60 + "h" : minutes + "m";
  }

  private static String sizeText(long bytes) {
    var shift = Math.min(3, Long.numberOfTrailingZeros(bytes) / 10);
    return bytes == 0 || shift == 0
        ? Long.toString(bytes)
        : (bytes >> (10 * shift)) + List.of("B", "KiB", "MiB", "GiB").get(shift);
  }
}
