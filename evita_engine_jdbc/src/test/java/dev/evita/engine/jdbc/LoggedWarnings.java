// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** Records the warnings, or other levels, logged by this process until closed. */
public final class LoggedWarnings extends Handler implements AutoCloseable {

  private final List<String> messages = new CopyOnWriteArrayList<>();
  private final SimpleFormatter formatter = new SimpleFormatter();
  private final Logger root = Logger.getLogger("");

  LoggedWarnings() {
    this(Level.WARNING);
  }

  public LoggedWarnings(Level least) {
    setLevel(least);
    root.addHandler(this);
  }

  public List<String> messages() {
    return List.copyOf(messages);
  }

  @Override
  public void publish(LogRecord record) {
    if (isLoggable(record)) {
      messages.add(formatter.formatMessage(record));
    }
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    root.removeHandler(this);
  }
}
