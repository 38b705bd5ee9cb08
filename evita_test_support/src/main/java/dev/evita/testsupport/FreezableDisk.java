// SPDX-License-Identifier: Apache-2.0
package dev.evita.testsupport;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A file system in a file, whose writes can be blocked, like those of a hanging disk. Only root may
 * mount one.
 */
public final class FreezableDisk implements AutoCloseable {

  private static final long BYTES = 64L << 20;

  private final Path root;
  private final Thread unmount;
  private boolean frozen;

  private FreezableDisk(Path root) {
    this.root = root;
    this.unmount = new Thread(this::unmount, "unmount " + root);
    Runtime.getRuntime().addShutdownHook(unmount);
  }

  /**
   * Mounts one.
   *
   * @param root created if missing; its file system is in a file beside it
   * @return empty, with a warning on standard error, if that is not permitted
   */
  public static Optional<FreezableDisk> mount(Path root) throws InterruptedException {
    var image = root.resolveSibling(root.getFileName() + ".img").toString();
    try {
      Files.createDirectories(root);
      try (var file = new RandomAccessFile(image, "rw")) {
        file.setLength(BYTES);
      }
      run("mkfs.ext4", "-q", "-F", image);
      run("mount", "-o", "loop", image, root.toString());
      return Optional.of(new FreezableDisk(root));
    } catch (IOException e) {
      SystemPrograms.missing(
          "No file system can be mounted: " + String.valueOf(e.getMessage()).strip(),
          "what happens on a disk that hangs",
          "e2fsprogs mount util-linux, and run as root");
      return Optional.empty();
    }
  }

  /** Blocks all writes. */
  public synchronized void freeze() throws IOException, InterruptedException {
    run("fsfreeze", "--freeze", root.toString());
    frozen = true;
  }

  /** Lets all writes return. No effect if it is not frozen. */
  public synchronized void thaw() throws IOException, InterruptedException {
    if (frozen) {
      run("fsfreeze", "--unfreeze", root.toString());
      frozen = false;
    }
  }

  private void unmount() {
    try {
      thaw();
      // Lazily: a killed process may hold files for another moment.
      run("umount", "-l", root.toString());
    } catch (IOException e) {
      System.err.println(e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void run(String... command) throws IOException, InterruptedException {
    var process = new ProcessBuilder(command).redirectErrorStream(true).start();
    var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException(String.join(" ", command) + ": " + output);
    }
  }

  @Override
  public void close() {
    Runtime.getRuntime().removeShutdownHook(unmount);
    unmount();
  }
}
