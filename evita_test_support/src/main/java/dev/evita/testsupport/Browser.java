// SPDX-License-Identifier: Apache-2.0
package dev.evita.testsupport;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.opentest4j.TestAbortedException;

/**
 * A headless Chromium, with a profile of its own, on one page until it is closed. It trusts any
 * certificate.
 */
public final class Browser implements AutoCloseable {

  private final Process process;
  private final Path profile;

  private Browser(Process process, Path profile) {
    this.process = process;
    this.profile = profile;
  }

  /**
   * Opens a page.
   *
   * @param subject the part that is not tested if Chromium is missing
   * @throws TestAbortedException if Chromium is missing, after a warning
   */
  public static Browser open(String url, String subject) throws IOException {
    SystemPrograms.require("chromium", subject, "chromium");
    var profile = Files.createTempDirectory("evita-browser");
    var command =
        List.of(
            "chromium",
            "--headless=new",
            "--no-sandbox", // Chromium does not run as root with it
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--disable-background-networking",
            "--disable-breakpad", // its handler of crashes would outlive it
            "--no-first-run",
            "--ignore-certificate-errors",
            "--user-data-dir=" + profile,
            url);
    var process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    return new Browser(process, profile);
  }

  /** Whether it has not ended by itself. */
  public boolean isAlive() {
    return process.isAlive();
  }

  /** Ends all of its processes, and deletes its profile. */
  @Override
  public void close() {
    var all = new ArrayList<>(process.descendants().toList());
    all.add(process.toHandle());
    all.forEach(ProcessHandle::destroyForcibly);
    for (var each : all) {
      each.onExit().orTimeout(10, TimeUnit.SECONDS).join();
    }
    TestFiles.delete(profile);
  }
}
