// SPDX-License-Identifier: Apache-2.0
package dev.evita.server;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Adds configuration keys as options of a command. */
final class KeyOptions {

  private final List<ConfigurationKey> keys;
  private final ConfigurationSources sources;
  private final CommandSpec spec;

  /**
   * Creates the options.
   *
   * @param shown the keys that the command accepts
   */
  KeyOptions(
      CommandSpec spec,
      ConfigurationKeys keys,
      Predicate<ConfigurationKey> shown,
      ConfigurationSources sources) {
    this.keys = keys.all().stream().filter(shown).toList();
    this.sources = sources;
    this.spec = spec;
    addOptions();
  }

  private void addOptions() {
    spec.addOption(
        OptionSpec.builder("--config")
            .paramLabel("<file>")
            .type(Path.class)
            .description(
                "A YAML file with any of the keys below, as in 'port: 5555'. Flags take precedence over"
                    + " environment variables (EVITA_PORT), and those over the file.")
            .build());
    keys.forEach(key -> spec.addOption(option(key)));
  }

  private static OptionSpec option(ConfigurationKey key) {
    var option =
        OptionSpec.builder(key.names().stream().map(ConfigurationKey::flag).toArray(String[]::new))
            .paramLabel("<" + key.kind().label() + ">")
            .type(String.class)
            .arity("1")
            .description(description(key));
    return key.kind().equals(ValueKind.SWITCH)
        ? option.arity("0..1").fallbackValue("true").build()
        : option.build();
  }

  private static String description(ConfigurationKey key) {
    var text = key.description();
    var standard = key.standardText();
    // A percent sign would start a format specifier in picocli.
    return (standard.equals("none") ? text : text + " Default: " + standard).replace("%", "%%");
  }

  /** The configuration from the parsed arguments, the environment and the file. */
  Configuration configuration() {
    var parsed = spec.commandLine().getParseResult();
    Map<String, Setting> flags = new HashMap<>();
    for (var key : keys) {
      String value = parsed.matchedOptionValue(key.flag(), null);
      if (value != null) {
        flags.put(key.name(), Setting.of("flag " + key.flag(), value));
      }
    }
    return sources.read(parsed.matchedOptionValue("--config", null), flags);
  }
}
