// SPDX-License-Identifier: Apache-2.0
package dev.evita.testsupport;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/** An in-memory file system that can be filled up. Only root may mount one. */
public final class SmallDisk implements AutoCloseable {

  private final Path root;
  private final Thread unmount;

  private SmallDisk(Path root) {
    this.root = root;
    this.unmount = new Thread(this::unmount, "unmount " + root);
    Runtime.getRuntime().addShutdownHook(unmount);
  }

  /**
   * Mounts one.
   *
   * @param root created if missing
   * @return empty, with a warning on standard error, if that is not permitted
   */
  public static Optional<SmallDisk> mount(Path root, int megabytes) throws InterruptedException {
    try {
      Files.createDirectories(root);
      run(
          "mount",
          "-t",
          "tmpfs",
          "-o",
          "mode=777,size=" + megabytes + "m",
          "tmpfs",
          root.toString());
      return Optional.of(new SmallDisk(root));
    } catch (IOException e) {
      SystemPrograms.missing(
          "No file system can be mounted: " + String.valueOf(e.getMessage()).strip(),
          "what happens on a full disk",
          "nothing, but run as root");
      return Optional.empty();
    }
  }

  /** Uses up the remaining space, and space freed by others until {@link #free}. */
  public void fill() {
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

  /** Frees the space. */
  public void free() throws IOException {
    Files.deleteIfExists(ballast());
  }

  private Path ballast() {
    return root.resolve("ballast");
  }

  private void unmount() {
    try {
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
