// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.writes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.externalapi.core.exchange.JsonTree;
import dev.evita.externalapi.core.json.JsonWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random trees of rows that are added by one POST are read as they were sent, on every database.
 */
final class RandomTreesIT {

  private static final int DEPTH = 4;
  private static final int ROUNDS = 40;

  private final Random random = new Random(11);
  private int names;

  @ParameterizedTest
  @ValueSource(strings = {"h2", "sqlite", "postgresql"})
  void trees_areReadAsTheyWereSent(String kind) {
    try (var rest = NestedDatabase.open(kind)) {
      for (int round = 0; round < ROUNDS; round++) {
        var sent = new ArrayList<Object>();
        var shown = new ArrayList<Object>();
        for (int i = random.nextInt(4); i >= 0; i--) {
          var expected = new LinkedHashMap<String, @Nullable Object>();
          sent.add(node(DEPTH, expected));
          shown.add(expected);
        }
        var first = names(shown).getFirst();
        var answer = rest.write("POST", target(), json(sent), "Prefer", "return=representation");
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
        assertThat(tree(answer.body())).as("round %d: %s", round, json(sent)).isEqualTo(shown);
        var read = rest.get(target() + "&parent_id=is.null&order=name&name=gte." + first);
        assertThat(tree(read)).isEqualTo(shown);
      }
    }
  }

  private static List<String> names(List<Object> nodes) {
    return nodes.stream().map(node -> (String) ((Map<?, ?>) node).get("name")).toList();
  }

  /** A node with what hangs on it; names grow, so that all lists are in the order of names. */
  private Map<String, @Nullable Object> node(int depth, Map<String, @Nullable Object> shown) {
    var sent = new LinkedHashMap<String, @Nullable Object>();
    var name = "n%07d".formatted(names++);
    sent.put("name", name);
    shown.put("name", name);
    shown.put("kind", null);
    var nodes = new ArrayList<Object>();
    var notes = new ArrayList<Object>();
    if (random.nextBoolean()) {
      var kind = Map.of("id", (Object) (long) names, "label", "k" + names++);
      sent.put(random.nextBoolean() ? "kind" : "kind_id", kind);
      shown.put("kind", Map.of("label", kind.get("label")));
    }
    for (int i = random.nextInt(3); i > 0; i--) {
      notes.add(Map.of("text", "t%07d".formatted(names++)));
    }
    if (!notes.isEmpty() || random.nextBoolean()) {
      sent.put("notes", notes);
    }
    shown.put("notes", notes);
    if (depth > 1) {
      var children = new ArrayList<Object>();
      for (int i = random.nextInt(4); i > 0; i--) {
        var child = new LinkedHashMap<String, @Nullable Object>();
        children.add(node(depth - 1, child));
        nodes.add(child);
      }
      if (!children.isEmpty()) {
        sent.put("nodes", children);
      }
      shown.put("nodes", nodes);
    }
    return sent;
  }

  private static String target() {
    var select = "name,kind(label),notes(text)";
    var order = new StringBuilder("&notes.order=text");
    var path = new StringBuilder();
    for (int i = 1; i < DEPTH; i++) {
      select = "name,kind(label),notes(text),nodes(" + select + ")";
      path.append(i == 1 ? "nodes" : ".nodes");
      order.append('&').append(path).append(".order=name");
      order.append('&').append(path).append(".notes.order=text");
    }
    return "/nodes?select=" + select + order;
  }

  private static String json(Object value) {
    var json = JsonWriter.inMemory();
    json.tree(value);
    return new String(json.take(), StandardCharsets.UTF_8);
  }

  private static @Nullable Object tree(String json) {
    return JsonTree.parse(json.getBytes(StandardCharsets.UTF_8));
  }
}
