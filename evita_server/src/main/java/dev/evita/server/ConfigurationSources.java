// SPDX-License-Identifier: Apache-2.0
package dev.evita.server;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Gathers settings: a flag wins over the environment, the environment over the file, the file over
 * the standard value.
 */
final class ConfigurationSources {

  /** Names the file, where the flag does not. */
  static final String CONFIG_VARIABLE = "EVITA_CONFIG";

  /** Variables for the launcher, which are not keys. */
  private static final Set<String> OTHER_VARIABLES = Set.of(CONFIG_VARIABLE, "EVITA_JAVA_OPTS");

  /** What Kubernetes tells each container of a Service named evita, of all or by its ports. */
  private static final Pattern SERVICE_VARIABLE =
      Pattern.compile(
          "EVITA_SERVICE_HOST|EVITA_SERVICE_PORT(_.+)?"
              + "|EVITA_PORT_[0-9]+_(TCP|UDP)(_PROTO|_PORT|_ADDR)?");

  private final ConfigurationKeys keys;
  private final Map<String, String> environment;

  ConfigurationSources(ConfigurationKeys keys, Map<String, String> environment) {
    this.keys = keys;
    this.environment =
        environment.entrySet().stream()
            .filter(variable -> !ofService(variable.getKey(), variable.getValue()))
            .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  /**
   * Whether it is about a Service of Kubernetes; one of its variables is named as a key of ours.
   */
  private static boolean ofService(String name, String value) {
    if (name.equals("EVITA_PORT")) {
      return value.startsWith("tcp://") || value.startsWith("udp://");
    }
    return SERVICE_VARIABLE.matcher(name).matches();
  }

  /**
   * The configuration.
   *
   * @param file given by flag; null to look into the environment
   * @param flags settings by key
   * @throws EvitaException {@code INVALID_CONFIGURATION}
   */
  Configuration read(@Nullable Path file, Map<String, Setting> flags) {
    var settings = new LinkedHashMap<String, Setting>();
    var configured = environment.get(CONFIG_VARIABLE);
    if (file != null) {
      settings.putAll(YamlFile.read(file, keys));
    } else if (configured != null) {
      settings.putAll(YamlFile.read(Path.of(configured), keys));
    }
    settings.putAll(variables());
    settings.putAll(flags);
    return keys.configuration(settings);
  }

  private Map<String, Setting> variables() {
    var settings = new LinkedHashMap<String, Setting>();
    for (var key : keys.all()) {
      for (var name : key.names()) {
        var variable = ConfigurationKey.variable(name);
        var value = environment.get(variable);
        if (value != null) {
          settings.putIfAbsent(key.name(), Setting.of("environment variable " + variable, value));
        }
      }
    }
    requireKnownVariables();
    return settings;
  }

  private void requireKnownVariables() {
    var known = new LinkedHashMap<String, ConfigurationKey>();
    keys.all()
        .forEach(
            key -> key.names().forEach(name -> known.put(ConfigurationKey.variable(name), key)));
    environment.keySet().stream()
        .filter(ConfigurationKey::isVariable)
        .filter(name -> !known.containsKey(name) && !OTHER_VARIABLES.contains(name))
        .sorted()
        .findFirst()
        .ifPresent(name -> {
          var hint =
              SpellingSuggestion.to(name, known.keySet())
                  .map(near -> "; did you mean " + near + "?");
          throw new EvitaException(
              ErrorCode.INVALID_CONFIGURATION,
              "unknown environment variable " + name + hint.orElse("; unset it"));
        });
  }
}
