// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.externalapi.graphql.Client;
import dev.evita.externalapi.graphql.H2Shop;
import dev.evita.externalapi.graphql.MemoryEngine;
import dev.evita.externalapi.graphql.ShopData;
import dev.evita.externalapi.graphql.model.ApiModel;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** Plans return the same as graphql-java's own execution. */
public final class OracleIT {

  private static final MemoryEngine ROWS = ShopData.engine();
  private static final ApiModel MODEL = ApiModel.of(ROWS.catalog(), ROWS.capabilities());
  private static final Oracle ORACLE = new Oracle(ROWS);

  @Test
  void plan_overLists_returnsWhatGraphqlJavaReturns() {
    try (var client = new Client(ShopData.engine())) {
      for (int seed = 0; seed < 1_000; seed++) {
        requireSame(client, "seed " + seed, new RandomDocument(MODEL, seed, false));
      }
    }
  }

  @Test
  void plan_overAnAsynchronousEngine_returnsWhatGraphqlJavaReturns() {
    try (var threads = Executors.newSingleThreadExecutor();
        var client = new Client(ShopData.engine().answeringOn(threads))) {
      for (int seed = 1_000; seed < 1_300; seed++) {
        requireSame(client, "seed " + seed, new RandomDocument(MODEL, seed, false));
      }
    }
  }

  @Test
  void plan_overH2_returnsWhatGraphqlJavaReturns() {
    try (var engine = H2Shop.open(ROWS);
        var client = new Client(engine)) {
      for (int seed = 2_000; seed < 2_500; seed++) {
        var document = new RandomDocument(MODEL, seed, true);
        if (!document.text().contains("echo")) {
          requireSame(client, "seed " + seed, document);
        }
      }
    }
  }

  @SuppressWarnings("unchecked")
  private static void requireSame(Client client, String name, RandomDocument document) {
    var description = name + ":\n" + document.text() + "\n" + document.variables();
    var variables = (Map<String, Object>) parse(document.variables());
    var expected = ORACLE.answer(document.text(), variables);
    assertThat(expected.getErrors()).as(description).isEmpty();
    var answer = (Map<String, Object>) parse(client.ask(document.text(), document.variables()));
    assertThat(answer.get("errors")).as(description).isNull();
    assertThat(canonical(answer.get("data")))
        .as(description)
        .isEqualTo(canonical(expected.getData()));
  }

  /** Numbers by value and dates by text, which JSON does not distinguish. */
  public static @Nullable Object canonical(@Nullable Object json) {
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
      case Number number -> {
        var exact = new BigDecimal(number.toString());
        // An average: databases differ in how many digits they give.
        yield (exact.scale() > 4 ? exact.setScale(4, RoundingMode.HALF_EVEN) : exact)
            .stripTrailingZeros();
      }
      default -> json.toString();
    };
  }

  public static @Nullable Object parse(String text) {
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
