// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** Records the messages logged by the process at INFO and above, until closed. */
public final class LogRecords extends Handler implements AutoCloseable {

  private final List<String> messages = new CopyOnWriteArrayList<>();
  private final SimpleFormatter formatter = new SimpleFormatter();
  private final Logger root = Logger.getLogger("");

  public LogRecords() {
    setLevel(Level.INFO);
    root.addHandler(this);
  }

  /** The level and text of each message, in order. */
  public List<String> messages() {
    return List.copyOf(messages);
  }

  @Override
  public void publish(LogRecord record) {
    if (isLoggable(record)) {
      messages.add(record.getLevel() + " " + formatter.formatMessage(record));
    }
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    root.removeHandler(this);
  }
}
