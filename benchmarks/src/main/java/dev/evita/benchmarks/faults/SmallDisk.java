// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks.faults;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/** A file system in memory that can be filled up. Root alone may mount one. */
final class SmallDisk implements AutoCloseable {

  private static final String SIZE = "size=512m,mode=777";

  private final Path root;
  private final Thread unmount;

  private SmallDisk(Path root) {
    this.root = root;
    this.unmount = new Thread(this::unmount, "unmount " + root);
    Runtime.getRuntime().addShutdownHook(unmount);
  }

  /** Mounts one there; empty, with the reason on standard error, where that is not allowed. */
  static Optional<SmallDisk> mount(Path root) throws InterruptedException {
    try {
      Files.createDirectories(root);
      run("mount", "-t", "tmpfs", "-o", SIZE, "tmpfs", root.toString());
      return Optional.of(new SmallDisk(root));
    } catch (IOException e) {
      System.err.println(
          "WARNING: no file system can be mounted, so the faults FULL_DISK and FULL_DISK_OF_SERVER are LEFT OUT; run as root."
              + " "
              + e.getMessage().strip());
      return Optional.empty();
    }
  }

  /** Takes all space that is left, and again what others free for as long as this lasts. */
  void fill() {
    var block = new byte[1 << 12];
    try (var out =
        Files.newOutputStream(ballast(), StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      var large = new byte[1 << 20];
      try {
        while (true) {
          out.write(large);
        }
      } catch (IOException e) {
        // Less than 1 MiB is left.
      }
      while (true) {
        out.write(block);
      }
    } catch (IOException e) {
      // It is full.
    }
  }

  void free() throws IOException {
    Files.deleteIfExists(ballast());
  }

  private Path ballast() {
    return root.resolve("ballast");
  }

  private void unmount() {
    try {
      // Lazily: a process that was killed may hold files for another moment.
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
