// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** The compiled way answers what graphql-java's own execution answers. */
final class OracleIT {

  private static final int DOCUMENTS = 1_500;
  private static final MemoryEngine ENGINE = ShopData.engine();
  private static final Client CLIENT = new Client(ENGINE);
  private static final Oracle ORACLE = new Oracle(ENGINE);

  @AfterAll
  static void close() {
    CLIENT.close();
  }

  @Test
  void compiledWay_ofRandomDocuments_answersLikeGraphqlJava() {
    var model = ApiModel.of(ENGINE.catalog(), Set.of());
    for (int seed = 0; seed < DOCUMENTS; seed++) {
      var document = new RandomDocument(model, seed);
      requireSame("seed " + seed, document.text(), document.variables());
    }
  }

  @SuppressWarnings("unchecked")
  private static void requireSame(String name, String document, String variables) {
    var description = name + ":\n" + document + "\n" + variables;
    var expected = ORACLE.answer(document, (Map<String, Object>) parse(variables));
    assertThat(expected.getErrors()).as(description).isEmpty();
    var answer = (Map<String, Object>) parse(CLIENT.ask(document, variables));
    assertThat(answer.get("errors")).as(description).isNull();
    assertThat(canonical(answer.get("data")))
        .as(description)
        .isEqualTo(canonical(expected.getData()));
  }

  /** Numbers by value and dates by text: what JSON cannot tell apart. */
  static @Nullable Object canonical(@Nullable Object json) {
    return switch (json) {
      case null -> null;
      case Map<?, ?> map -> {
        // Response keys come in order, so the order counts.
        var entries = new ArrayList<@Nullable Object>();
        map.forEach((key, value) -> {
          entries.add(key);
          entries.add(canonical(value));
        });
        yield entries;
      }
      case List<?> list -> {
        var values = new ArrayList<@Nullable Object>();
        list.forEach(value -> values.add(canonical(value)));
        yield values;
      }
      case Boolean bool -> bool;
      case Number number -> new BigDecimal(number.toString()).stripTrailingZeros();
      default -> json.toString();
    };
  }

  static @Nullable Object parse(String text) {
    try (var parser = new JsonFactory().createParser(ObjectReadContext.empty(), text)) {
      parser.nextToken();
      return value(parser);
    }
  }

  private static @Nullable Object value(JsonParser parser) {
    return switch (parser.currentToken()) {
      case START_OBJECT -> {
        var map = new LinkedHashMap<String, @Nullable Object>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
          var name = parser.currentName();
          parser.nextToken();
          map.put(name, value(parser));
        }
        yield map;
      }
      case START_ARRAY -> {
        var list = new ArrayList<@Nullable Object>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          list.add(value(parser));
        }
        yield list;
      }
      case VALUE_STRING -> parser.getString();
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_NUMBER_INT -> parser.getBigIntegerValue();
      case VALUE_NUMBER_FLOAT -> parser.getDecimalValue();
      default -> null;
    };
  }
}
