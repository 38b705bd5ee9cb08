// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Where and with what something was measured.
 *
 * @param cores as this JVM sees them
 * @param loadAverage of the last minute, when measuring began
 * @param commit of this project; with a plus sign where files were changed since
 */
record Machine(
    String cpu,
    int cores,
    long memoryMegabytes,
    String system,
    String jdk,
    double loadAverage,
    String commit) {

  static Machine here() throws IOException, InterruptedException {
    var changed = !output("git", "status", "--porcelain", "--untracked-files=no").isEmpty();
    return new Machine(
        field(Path.of("/proc/cpuinfo"), "model name"),
        Runtime.getRuntime().availableProcessors(),
        Long.parseLong(field(Path.of("/proc/meminfo"), "MemTotal").replaceAll("[^0-9]", "")) / 1024,
        System.getProperty("os.name") + " " + System.getProperty("os.version"),
        System.getProperty("java.vm.vendor") + " " + System.getProperty("java.vm.version"),
        Double.parseDouble(Files.readString(Path.of("/proc/loadavg")).split(" ", 2)[0]),
        output("git", "rev-parse", "--short", "HEAD") + (changed ? "+" : ""));
  }

  /** The directory of today's results of this machine. */
  Path directory(Path results) {
    var words = cpu.replaceAll("\\(.*?\\)", "").toLowerCase(Locale.ROOT);
    var name = words.replaceAll("[^a-z0-9]+", "-").replaceAll("^-|-$", "");
    return results.resolve(LocalDate.now(ZoneOffset.UTC) + "-" + name + "-" + cores + "-cores");
  }

  Map<String, Object> asMap() {
    var map = new TreeMap<String, Object>();
    map.put("cpu", cpu);
    map.put("cores", cores);
    map.put("memory (MB)", memoryMegabytes);
    map.put("system", system);
    map.put("jdk", jdk);
    map.put("load average", loadAverage);
    map.put("commit", commit);
    return map;
  }

  private static String field(Path file, String name) throws IOException {
    for (var line : Files.readAllLines(file)) {
      if (line.startsWith(name)) {
        return line.substring(line.indexOf(':') + 1).strip();
      }
    }
    return "unknown";
  }

  private static String output(String... command) throws IOException, InterruptedException {
    var process = new ProcessBuilder(command).start();
    var text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    return process.waitFor() == 0 ? text : "unknown";
  }
}
