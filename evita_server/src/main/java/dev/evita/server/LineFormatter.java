// SPDX-License-Identifier: Apache-2.0
package dev.evita.server;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.logging.Formatter;
import java.util.logging.Level;
import java.util.logging.LogRecord;

/** {@code 2026-01-31T13:45:00.123Z INFO ExternalApiServer: message}, and a stack trace if any. */
final class LineFormatter extends Formatter {

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSX").withZone(ZoneOffset.UTC);

  @Override
  public String format(LogRecord entry) {
    var line = new StringBuilder(160);
    TIME.formatTo(entry.getInstant().truncatedTo(ChronoUnit.MILLIS), line);
    line.append(' ').append(level(entry.getLevel())).append(' ').append(source(entry)).append(": ");
    // External values must not forge a line.
    line.append(formatMessage(entry).replace("\r", "\\r").replace("\n", "\\n")).append('\n');
    if (entry.getThrown() != null) {
      var trace = new StringWriter();
      entry.getThrown().printStackTrace(new PrintWriter(trace));
      line.append(trace);
    }
    return line.toString();
  }

  private static String level(Level level) {
    if (level.intValue() >= Level.SEVERE.intValue()) {
      return "ERROR";
    }
    if (level.intValue() >= Level.WARNING.intValue()) {
      return "WARN";
    }
    return level.intValue() >= Level.INFO.intValue() ? "INFO" : "DEBUG";
  }

  private static String source(LogRecord entry) {
    var name = String.valueOf(entry.getLoggerName());
    return name.substring(name.lastIndexOf('.') + 1);
  }
}
