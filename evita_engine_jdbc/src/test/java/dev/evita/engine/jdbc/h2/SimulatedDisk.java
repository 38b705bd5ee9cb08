// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.h2;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.h2.store.fs.FileBase;
import org.h2.store.fs.FilePath;
import org.h2.store.fs.FilePathWrapper;
import org.jspecify.annotations.Nullable;

/**
 * The disk below an H2 file of the URL {@code jdbc:h2:simulated:/path}: it records writes since the
 * last force, so that a loss of power can be simulated, and can be full. Only one at a time, since
 * H2 creates its file systems by itself.
 */
final class SimulatedDisk implements AutoCloseable {

  private static volatile @Nullable SimulatedDisk current;

  /**
   * The possible state after a crash.
   *
   * @param written the file as the process has written it
   * @param durable the file as it was forced
   * @param pending operations since the force, in order
   * @param writing the write in progress; null if none
   */
  record Crash(byte[] written, byte[] durable, List<Pending> pending, @Nullable Pending writing) {

    /** After the end of the process: all completed writes, and a part of the write in progress. */
    byte[] ofProcess(RandomGenerator random) {
      return writing == null ? written : writing.torn(random).apply(written);
    }

    /**
     * After a loss of power: some of the unforced writes, in any order, and one of these torn. A
     * write is complete or a prefix.
     */
    byte[] ofPower(RandomGenerator random) {
      var unforced = new ArrayList<>(pending);
      if (writing != null) {
        unforced.add(writing);
      }
      Collections.shuffle(unforced, Random.from(random));
      var torn = random.nextInt(unforced.size() + 1);
      var file = durable;
      for (int i = 0; i < unforced.size(); i++) {
        if (random.nextInt(3) > 0) {
          var each = unforced.get(i);
          file = (i == torn ? each.torn(random) : each).apply(file);
        }
      }
      return file;
    }
  }

  /** A write or, without bytes, a truncation. */
  record Pending(long position, byte @Nullable [] bytes) {

    /** A prefix of the write; a truncation is complete. */
    Pending torn(RandomGenerator random) {
      return bytes == null
          ? this
          : new Pending(position, Arrays.copyOf(bytes, random.nextInt(bytes.length + 1)));
    }

    /** Returns a new file with this operation applied. */
    byte[] apply(byte[] file) {
      var at = (int) position;
      if (bytes == null) {
        return Arrays.copyOf(file, Math.min(at, file.length));
      }
      var result = Arrays.copyOf(file, Math.max(file.length, at + bytes.length));
      System.arraycopy(bytes, 0, result, at, bytes.length);
      return result;
    }
  }

  // Guarded by this.
  private final List<Pending> pending = new ArrayList<>();
  private byte[] written = {};
  private byte[] durable = {};
  private @Nullable Pending writing;
  private long forces;

  private volatile long capacity = Long.MAX_VALUE;

  private SimulatedDisk() {}

  static SimulatedDisk create() {
    FilePath.register(new SimulatedPath());
    var disk = new SimulatedDisk();
    current = disk;
    return disk;
  }

  static String url(Path database) {
    return "jdbc:h2:simulated:" + database.toAbsolutePath();
  }

  /** Limits the disk's capacity. */
  void capacity(long bytes) {
    capacity = bytes;
  }

  synchronized long forces() {
    return forces;
  }

  /** Simulates a loss of power now. */
  synchronized Crash crash() {
    return new Crash(written, durable, List.copyOf(pending), writing);
  }

  /** Writes a file as a crash has left it, for H2 to open; returns the URL. */
  static String restore(byte[] file, Path directory) {
    try {
      Files.createDirectories(directory);
      Files.write(directory.resolve("db.mv.db"), file);
      return "jdbc:h2:file:" + directory.resolve("db").toAbsolutePath();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    current = null;
  }

  private synchronized void begin(Pending write) {
    writing = write;
  }

  private synchronized void done(Pending change) {
    writing = null;
    pending.add(change);
    written = change.apply(written);
  }

  private synchronized void forced() {
    durable = written;
    pending.clear();
    forces++;
  }

  /** The file system by which H2 finds the disk. H2 creates its instances. */
  public static final class SimulatedPath extends FilePathWrapper {

    public SimulatedPath() {}

    @Override
    public String getScheme() {
      return "simulated";
    }

    @Override
    public FileChannel open(String mode) throws IOException {
      var disk = current;
      var file = super.open(mode);
      return disk == null || !name.endsWith(".mv.db") ? file : new SimulatedFile(disk, file);
    }
  }

  /** The database's file. */
  @SuppressWarnings("UnsynchronizedOverridesSynchronized") // positions are given with each call
  private static final class SimulatedFile extends FileBase {

    private final SimulatedDisk disk;
    private final FileChannel file;

    SimulatedFile(SimulatedDisk disk, FileChannel file) {
      this.disk = disk;
      this.file = file;
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
      return file.read(target);
    }

    @Override
    public int read(ByteBuffer target, long position) throws IOException {
      return file.read(target, position);
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
      var count = write(source, file.position());
      file.position(file.position() + count);
      return count;
    }

    @Override
    public int write(ByteBuffer source, long position) throws IOException {
      if (position + source.remaining() > disk.capacity) {
        throw new IOException("No space left on device: /secret/path/db.mv.db");
      }
      var bytes = new byte[source.remaining()];
      source.duplicate().get(bytes);
      var write = new Pending(position, bytes);
      disk.begin(write);
      var count = file.write(source, position);
      disk.done(write);
      return count;
    }

    @Override
    public FileChannel truncate(long size) throws IOException {
      file.truncate(size);
      disk.done(new Pending(size, null));
      return this;
    }

    @Override
    public void force(boolean metaData) throws IOException {
      disk.forced();
    }

    @Override
    public long position() throws IOException {
      return file.position();
    }

    @Override
    public FileChannel position(long position) throws IOException {
      file.position(position);
      return this;
    }

    @Override
    public long size() throws IOException {
      return file.size();
    }

    @Override
    public FileLock tryLock(long position, long size, boolean shared) throws IOException {
      return file.tryLock(position, size, shared);
    }

    @Override
    protected void implCloseChannel() throws IOException {
      file.close();
    }
  }
}
