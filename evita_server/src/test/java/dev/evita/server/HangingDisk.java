// SPDX-License-Identifier: Apache-2.0
package dev.evita.server;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.h2.store.fs.FileBase;
import org.h2.store.fs.FilePath;
import org.h2.store.fs.FilePathWrapper;
import org.jspecify.annotations.Nullable;

/**
 * The disk below an H2 file of the URL {@code jdbc:h2:hanging:/path}, whose writes can be blocked.
 * H2 creates its file systems by itself, so there is only one.
 */
final class HangingDisk {

  private static volatile @Nullable CountDownLatch hanging;

  private HangingDisk() {}

  static String url(Path database) {
    FilePath.register(new HangingPath());
    return "jdbc:h2:hanging:" + database.toAbsolutePath();
  }

  /** Blocks all writes. */
  static void hang() {
    hanging = new CountDownLatch(1);
  }

  /** Lets all writes return. */
  static void release() {
    var waiting = hanging;
    hanging = null;
    if (waiting != null) {
      waiting.countDown();
    }
  }

  private static void await() throws IOException {
    var waiting = hanging;
    if (waiting != null) {
      try {
        waiting.await();
      } catch (InterruptedException e) {
        throw new IOException("a thread in H2 was interrupted", e);
      }
    }
  }

  /** Created by H2, and therefore public. */
  public static final class HangingPath extends FilePathWrapper {
    @Override
    public String getScheme() {
      return "hanging";
    }

    @Override
    public FileChannel open(String mode) throws IOException {
      return new Channel(super.open(mode));
    }
  }

  @SuppressWarnings("UnsynchronizedOverridesSynchronized") // positions are given with each call
  private static final class Channel extends FileBase {
    private final FileChannel file;

    Channel(FileChannel file) {
      this.file = file;
    }

    @Override
    public int write(ByteBuffer source, long position) throws IOException {
      await();
      return file.write(source, position);
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
      await();
      return file.write(source);
    }

    @Override
    public int read(ByteBuffer target, long position) throws IOException {
      return file.read(target, position);
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
      return file.read(target);
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
    public FileChannel truncate(long size) throws IOException {
      file.truncate(size);
      return this;
    }

    @Override
    public void force(boolean metaData) throws IOException {
      await();
      file.force(metaData);
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
