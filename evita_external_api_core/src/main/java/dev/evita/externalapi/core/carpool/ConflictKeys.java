// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.carpool;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.text.Normalizer;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Conflict keys that are equal at least where a database may regard the values as equal. Where they
 * are equal and the values are not, two requests are merely not in one batch.
 */
final class ConflictKeys {

  private static final Pattern MARKS = Pattern.compile("\\p{M}+");

  private ConflictKeys() {}

  /** Returns null for null, which conflicts with nothing. */
  static @Nullable Object of(@Nullable Object value) {
    return switch (value) {
      case null -> null;
      case String text -> text(text);
      case BigDecimal number -> number.stripTrailingZeros();
      case Double number -> number + 0.0; // -0.0 becomes 0.0
      case Float number -> number + 0.0;
      case Number number -> number.longValue();
      case byte[] bytes -> ByteBuffer.wrap(bytes);
      case OffsetDateTime time -> time.toInstant();
      case OffsetTime time -> time.withOffsetSameInstant(ZoneOffset.UTC);
      default -> value;
    };
  }

  /** Collations may ignore case, accents, the form of a character, and blanks at the end. */
  private static String text(String text) {
    var plain = text.stripTrailing();
    if (plain.chars().anyMatch(c -> c > 127)) {
      plain = MARKS.matcher(Normalizer.normalize(plain, Normalizer.Form.NFKD)).replaceAll("");
    }
    return plain.toLowerCase(Locale.ROOT);
  }
}
