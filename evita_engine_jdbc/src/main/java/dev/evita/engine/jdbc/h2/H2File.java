// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.h2;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.h2.mvstore.DataUtils;
import org.h2.mvstore.MVStoreException;
import org.h2.store.fs.FilePath;
import org.jspecify.annotations.Nullable;

/**
 * The outer structure of an H2 file (format 2 and 3): two copies of a header, and chunks of one or
 * more blocks, each with a header and a footer. All numbers in it are hexadecimal.
 *
 * <p>For {@link H2Recovery}, while the database is not open. Not thread-safe.
 */
final class H2File implements AutoCloseable {

  private static final int BLOCK = 4_096;
  private static final int HEAD_BLOCKS = 2;
  private static final int MAX_HEADER = 1_024;
  private static final int FOOTER = 128;
  private static final int BLOCKS_AT_ONCE = 256;
  private static final byte[] CHUNK = "chunk:".getBytes(StandardCharsets.ISO_8859_1);

  private final FileChannel file;
  private final FileLock lock;

  /**
   * A completely written chunk.
   *
   * @param version of the database; the chunk contains the changes since the previous one
   * @param id its number
   * @param block its first block
   */
  record Chunk(long version, long id, long block) {}

  private H2File(FileChannel file, FileLock lock) {
    this.file = file;
    this.lock = lock;
  }

  /** Opens and locks a file; returns null if another process has locked it. */
  static @Nullable H2File open(FilePath path) throws IOException {
    var file = path.open("rw");
    FileLock lock = null;
    try {
      lock = file.tryLock();
      return lock == null ? null : new H2File(file, lock);
    } finally {
      if (lock == null) {
        file.close();
      }
    }
  }

  /** The newest header; null if there is none, as in a file that is empty or encrypted. */
  @Nullable Map<String, String> head() throws IOException {
    var newest = head(0);
    var other = head(1);
    return newest == null || (other != null && number(other, "version") > number(newest, "version"))
        ? other
        : newest;
  }

  private @Nullable Map<String, String> head(long block) throws IOException {
    var found = checked(read(block * BLOCK, BLOCK));
    return found == null || !found.containsKey("H") ? null : found;
  }

  /** Points a header to a chunk, and writes both copies to the device. */
  void write(Map<String, String> head, Chunk newest) throws IOException {
    var changed = new HashMap<>(head);
    changed.put("chunk", Long.toHexString(newest.id()));
    changed.put("block", Long.toHexString(newest.block()));
    changed.put("version", Long.toHexString(newest.version()));
    write(changed);
  }

  /** Writes both copies of a header to the device. */
  void write(Map<String, String> head) throws IOException {
    var text = DataUtils.appendMap(new StringBuilder(), new HashMap<>(head));
    var body = text.toString().getBytes(StandardCharsets.ISO_8859_1);
    DataUtils.appendMap(text, "fletcher", DataUtils.getFletcher32(body, 0, body.length));
    var bytes = text.append('\n').toString().getBytes(StandardCharsets.ISO_8859_1);
    var both = new byte[HEAD_BLOCKS * BLOCK];
    System.arraycopy(bytes, 0, both, 0, bytes.length);
    System.arraycopy(bytes, 0, both, BLOCK, bytes.length);
    write(0, both);
    file.force(false);
  }

  /** Marks a chunk as invalid. */
  void erase(Chunk chunk) throws IOException {
    write(chunk.block() * BLOCK, new byte[CHUNK.length]);
  }

  /** Undoes {@link #erase}. */
  void restore(Chunk chunk) throws IOException {
    write(chunk.block() * BLOCK, CHUNK);
  }

  /** All chunks, even unused ones, in the order of the file. */
  List<Chunk> chunks() throws IOException {
    var found = new ArrayList<Chunk>();
    var blocks = file.size() / BLOCK;
    for (long from = HEAD_BLOCKS; from < blocks; from += BLOCKS_AT_ONCE) {
      var count = (int) Math.min(BLOCKS_AT_ONCE, blocks - from);
      var bytes = read(from * BLOCK, count * BLOCK);
      for (int i = 0; i < count; i++) {
        var chunk = chunk(bytes, i * BLOCK, from + i);
        if (chunk != null) {
          found.add(chunk);
        }
      }
    }
    return found;
  }

  private @Nullable Chunk chunk(byte[] bytes, int start, long block) throws IOException {
    var header = header(bytes, start);
    if (header == null) {
      return null;
    }
    var chunk = new Chunk(number(header, "version"), number(header, "chunk"), block);
    var end = (block + number(header, "len")) * BLOCK;
    var footer = checked(read(end - FOOTER, FOOTER));
    return footer != null
            && number(footer, "chunk") == chunk.id()
            && number(footer, "version") == chunk.version()
        ? chunk
        : null;
  }

  private static @Nullable Map<String, String> header(byte[] bytes, int start) {
    for (int i = 0; i < CHUNK.length; i++) {
      if (bytes[start + i] != CHUNK[i]) {
        return null;
      }
    }
    var length = 0;
    while (length < MAX_HEADER && bytes[start + length] != '\n') {
      length++;
    }
    return map(new String(bytes, start, length, StandardCharsets.ISO_8859_1).trim());
  }

  /** Parses a line that is followed by its checksum; null for anything else. */
  private static @Nullable Map<String, String> checked(byte[] bytes) {
    var text = new String(bytes, StandardCharsets.ISO_8859_1);
    var end = text.indexOf('\n');
    var sum = end < 0 ? -1 : text.lastIndexOf(",fletcher:", end);
    var all = sum < 0 ? null : map(text.substring(0, end).trim());
    if (all == null || (int) number(all, "fletcher") != DataUtils.getFletcher32(bytes, 0, sum)) {
      return null;
    }
    all.remove("fletcher");
    return all;
  }

  private static @Nullable Map<String, String> map(String text) {
    try {
      return DataUtils.parseMap(text);
    } catch (MVStoreException e) {
      return null;
    }
  }

  private static long number(Map<String, String> of, String key) {
    try {
      return DataUtils.readHexLong(of, key, -1);
    } catch (MVStoreException e) {
      return -1;
    }
  }

  /** Reads zeros after the end and before the beginning of the file. */
  private byte[] read(long position, int count) throws IOException {
    var bytes = ByteBuffer.allocate(count);
    var at = position;
    while (at >= 0 && bytes.hasRemaining()) {
      var read = file.read(bytes, at);
      if (read < 0) {
        break;
      }
      at += read;
    }
    return bytes.array();
  }

  private void write(long position, byte[] bytes) throws IOException {
    var source = ByteBuffer.wrap(bytes);
    while (source.hasRemaining()) {
      file.write(source, position + source.position());
    }
  }

  @Override
  public void close() throws IOException {
    try (file) {
      lock.release(); // H2's in-memory files do not do so when they are closed
    }
  }
}
