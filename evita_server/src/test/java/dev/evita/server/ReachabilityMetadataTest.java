// SPDX-License-Identifier: Apache-2.0
package dev.evita.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.ResourceBundle;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The metadata by which GraalVM's native-image finds reflection and resources: it names what
 * exists, and all of it.
 */
final class ReachabilityMetadataTest {

  private static final List<String> MODULES =
      List.of(
          "evita_engine_jdbc",
          "evita_http",
          "evita_external_api_core",
          "evita_external_api_graphql",
          "evita_external_api_rest",
          "evita_external_api_grpc",
          "evita_external_api_sql",
          "evita_server");

  private static final ClassLoader LOADER = ReachabilityMetadataTest.class.getClassLoader();

  @Test
  void reflection_everyMember_exists() throws Exception {
    for (var entry : entries("reflection")) {
      var type = Class.forName(entry.path("type").asString(), false, LOADER);
      for (var method : entry.path("methods")) {
        var name = method.path("name").asString();
        var parameters = parameters(method);
        if (name.equals("<init>")) {
          assertThat(type.getDeclaredConstructor(parameters)).isNotNull();
        } else {
          assertThat(type.getDeclaredMethod(name, parameters)).isNotNull();
        }
      }
      for (var field : entry.path("fields")) {
        assertThat(type.getDeclaredField(field.path("name").asString())).isNotNull();
      }
    }
  }

  @Test
  void configurationRecords_all_areRegistered() throws Exception {
    assertThat(registered()).containsAll(records(Configuration.DEFAULT));
  }

  @Test
  void resources_all_exist() throws IOException {
    for (var entry : entries("resources")) {
      if (entry.has("bundle")) {
        assertThat(ResourceBundle.getBundle(entry.path("bundle").asString())).isNotNull();
      } else {
        var glob = entry.path("glob").asString();
        var file = glob.replace("demo-*", "demo-tables");
        assertThat(LOADER.getResource(file)).as(glob).isNotNull();
      }
    }
  }

  private static Set<String> registered() throws IOException {
    var types = new TreeSet<String>();
    for (var entry : entries("reflection")) {
      types.add(entry.path("type").asString());
    }
    return types;
  }

  private static Set<String> records(Record values) throws ReflectiveOperationException {
    var found = new TreeSet<>(Set.of(values.getClass().getName()));
    for (var component : values.getClass().getRecordComponents()) {
      if (component.getAccessor().invoke(values) instanceof Record nested) {
        found.addAll(records(nested));
      }
    }
    return found;
  }

  private static Class<?>[] parameters(JsonNode method) {
    var types = new ArrayList<Class<?>>();
    for (var type : method.path("parameterTypes")) {
      types.add(type(type.asString()));
    }
    return types.toArray(Class<?>[]::new);
  }

  private static Class<?> type(String name) {
    return Arrays.<Class<?>>asList(int.class, boolean.class).stream()
        .filter(primitive -> primitive.getName().equals(name))
        .findFirst()
        .orElseGet(() -> {
          try {
            return Class.forName(name, false, LOADER);
          } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
          }
        });
  }

  private static List<JsonNode> entries(String section) throws IOException {
    var entries = new ArrayList<JsonNode>();
    for (var module : MODULES) {
      var path = "META-INF/native-image/dev.evita/" + module + "/reachability-metadata.json";
      List<URL> files = Collections.list(LOADER.getResources(path));
      assertThat(files).as(path).hasSize(1);
      try (InputStream stream = files.getFirst().openStream()) {
        JsonMapper.shared().readTree(stream).path(section).forEach(entries::add);
      }
    }
    return entries;
  }
}
