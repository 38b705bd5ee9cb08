// SPDX-License-Identifier: Apache-2.0
package dev.evita.server;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.limits.Description;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The keys of the configuration, found in its records: each component that is not itself a record
 * is a key. Immutable.
 */
final class ConfigurationKeys {

  private final Configuration standard;
  private final Map<String, ConfigurationKey> keys = new LinkedHashMap<>();

  ConfigurationKeys(Configuration standard) {
    this.standard = standard;
    collect(standard);
  }

  /** A record's own keys come before those of the records in it. */
  private void collect(Record values) {
    var nested = new ArrayList<Record>();
    for (var component : values.getClass().getRecordComponents()) {
      var value = read(component, values);
      if (value instanceof Record inner) {
        nested.add(inner);
      } else {
        add(key(component, value));
      }
    }
    nested.forEach(this::collect);
  }

  private void add(ConfigurationKey key) {
    if (keys.put(key.name(), key) != null) {
      throw new IllegalStateException("two components are named " + key.name());
    }
  }

  private static ConfigurationKey key(RecordComponent component, @Nullable Object standard) {
    var description = component.getAnnotation(Description.class);
    if (description == null) {
      throw new IllegalStateException("no @Description on " + component);
    }
    var group = words(component.getDeclaringRecord().getSimpleName(), ' ');
    return new ConfigurationKey(
        words(component.getName(), '-'),
        group,
        description.value(),
        ValueKind.of(component),
        standard,
        description.formerly());
  }

  /** {@code maxBodyBytes} becomes {@code max-body-bytes}. */
  private static String words(String name, char separator) {
    return name.replaceAll("(?<=[a-z0-9])(?=[A-Z])", String.valueOf(separator))
        .toLowerCase(Locale.ROOT);
  }

  /** All keys, in the order of the records. */
  Collection<ConfigurationKey> all() {
    return keys.values();
  }

  Optional<ConfigurationKey> find(String name) {
    var present = keys.get(name);
    return present == null
        ? keys.values().stream().filter(key -> key.names().contains(name)).findFirst()
        : Optional.of(present);
  }

  /** The key whose name is most like this one, as a hint; empty if none is alike. */
  String hint(String name) {
    return SpellingSuggestion.to(name, keys.keySet())
        .map(near -> "; did you mean " + near + "?")
        .orElse("");
  }

  /**
   * The configuration with these settings instead of the standard ones.
   *
   * @param settings by key
   * @throws EvitaException {@code INVALID_CONFIGURATION}, naming key, value and source
   */
  Configuration configuration(Map<String, Setting> settings) {
    var values = new LinkedHashMap<String, Object>();
    settings.forEach((name, setting) -> values.put(name, parse(require(name), setting)));
    var configuration = (Configuration) build(standard, values, settings);
    requireEngineRanges(configuration, settings);
    return configuration;
  }

  /** The engine checks its own options, and only when they are made. */
  private static void requireEngineRanges(
      Configuration configuration, Map<String, Setting> settings) {
    try {
      var unused = configuration.database().jdbcOptions(false);
    } catch (EvitaException refused) {
      throw located(refused, settings);
    }
  }

  private ConfigurationKey require(String name) {
    return find(name).orElseThrow(() -> new IllegalArgumentException("no key " + name));
  }

  private static Object parse(ConfigurationKey key, Setting setting) {
    try {
      return key.kind().parse().apply(setting.value());
    } catch (IllegalArgumentException | ArithmeticException e) {
      var shown = key.secret() ? "not readable" : "'" + setting.value() + "'";
      throw new EvitaException(
          ErrorCode.INVALID_CONFIGURATION,
          "%s is %s (%s); expected %s"
              .formatted(key.name(), shown, setting.source(), key.kind().expected()),
          e);
    }
  }

  private static Record build(
      Record standard, Map<String, Object> values, Map<String, Setting> settings) {
    var components = standard.getClass().getRecordComponents();
    var arguments = new Object[components.length];
    for (int i = 0; i < components.length; i++) {
      var value = read(components[i], standard);
      arguments[i] =
          value instanceof Record nested
              ? build(nested, values, settings)
              : values.getOrDefault(words(components[i].getName(), '-'), value);
    }
    return create(standard.getClass(), components, arguments, settings);
  }

  private static Record create(
      Class<? extends Record> type,
      RecordComponent[] components,
      Object[] arguments,
      Map<String, Setting> settings) {
    var types = new Class<?>[components.length];
    for (int i = 0; i < components.length; i++) {
      types[i] = components[i].getType();
    }
    try {
      return type.getDeclaredConstructor(types).newInstance(arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause() instanceof EvitaException refused ? located(refused, settings) : fault(e);
    } catch (ReflectiveOperationException e) {
      throw fault(e);
    }
  }

  /** Records name the key first in what they refuse, so that its source can be told. */
  private static EvitaException located(EvitaException refused, Map<String, Setting> settings) {
    var message = refused.publicMessage();
    var setting = settings.get(message.split(" ", 2)[0]);
    return setting == null
        ? refused
        : new EvitaException(refused.code(), message + " (" + setting.source() + ")", refused);
  }

  private static @Nullable Object read(RecordComponent component, Record values) {
    try {
      return component.getAccessor().invoke(values);
    } catch (ReflectiveOperationException e) {
      throw fault(e);
    }
  }

  private static IllegalStateException fault(ReflectiveOperationException cause) {
    return new IllegalStateException("a configuration record cannot be read or made", cause);
  }
}
