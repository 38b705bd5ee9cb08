// SPDX-License-Identifier: Apache-2.0
package dev.evita.server;

/** Shows how far a long task is: a bar for a person, a few lines for a log. Not thread-safe. */
final class ProgressReport {

  private static final int WIDTH = 30;
  private static final int LINES = 4;

  private final Terminal terminal;
  private final String task;
  private final long total;
  private long done;
  private long shown = -1;

  ProgressReport(Terminal terminal, String task, long total) {
    this.terminal = terminal;
    this.task = task;
    this.total = total;
  }

  /** Some more is done. */
  void add(long amount) {
    done += amount;
    var part = Math.min(done, total);
    if (terminal.interactive()) {
      draw(part * 100 / total);
    } else {
      write(part * LINES / total);
    }
  }

  /** All is done. */
  void end() {
    done = total;
    add(0);
    if (terminal.interactive()) {
      terminal.err().println();
    }
  }

  private void draw(long percent) {
    if (percent == shown) {
      return;
    }
    shown = percent;
    var full = (int) (percent * WIDTH / 100);
    var bar = "#".repeat(full) + "-".repeat(WIDTH - full);
    terminal.err().print(task + " [" + bar + "] " + percent + " %\r");
    terminal.err().flush();
  }

  private void write(long step) {
    if (step == shown) {
      return;
    }
    shown = step;
    terminal.err().println(task + ": " + step * 100 / LINES + " %");
  }
}
