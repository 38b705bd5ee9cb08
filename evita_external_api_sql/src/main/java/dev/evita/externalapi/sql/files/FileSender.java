// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.sql.files;

import dev.evita.externalapi.core.exchange.Exchange;
import dev.evita.externalapi.core.work.ResponseBody;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * Sends a part of a file. It is opened again after each pause, so that a client that does not read
 * holds no file open. Used by one thread at a time.
 */
final class FileSender implements Runnable {

  private static final int CHUNK = 16 << 10;

  private final Exchange exchange;
  private final Path file;
  private final long end;
  private long position;
  private @Nullable ResponseBody body;

  FileSender(Exchange exchange, Path file, long first, long length) {
    this.exchange = exchange;
    this.file = file;
    this.position = first;
    this.end = first + length;
  }

  /**
   * Begins the response.
   *
   * @param exact whether the bytes are sent as they are, so that the length is known
   */
  void start(int status, String type, boolean exact) {
    if (exact) {
      exchange.response().header("Content-Length", String.valueOf(end - position));
    }
    body = exchange.response().respond(status, type);
    run();
  }

  @Override
  public void run() {
    var open = body;
    if (open == null) {
      throw new IllegalStateException("not started");
    }
    try (var channel = FileChannel.open(file, StandardOpenOption.READ)) {
      var chunk = ByteBuffer.allocate(CHUNK);
      while (position < end) {
        chunk.clear().limit((int) Math.min(CHUNK, end - position));
        var read = channel.read(chunk, position);
        if (read < 0) {
          open.abort(); // it has become shorter
          return;
        }
        position += read;
        var bytes = new byte[read];
        chunk.flip().get(bytes);
        open.json().raw(bytes);
        if (!open.demand(this)) {
          return;
        }
      }
      open.end();
    } catch (IOException e) {
      exchange.fail(e);
    }
  }
}
