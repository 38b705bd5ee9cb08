// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks;

import java.util.Map;

/** A request to the shop. */
enum ShopRequest {
  /** A product of five columns, another each time. */
  BY_KEY("by key", "P-4711"),
  /**
   * The 20 products after a key, another each time: eight columns, with their brands and prices.
   */
  LIST("list of 20", "USD"),
  /** A visit, and the row as it is stored: in a transaction of its own. */
  INSERT("insert", "hello");

  /** The request to a hand-written GraphQL schema. */
  static final Map<ShopRequest, HttpProbe> OF_SCHEMA =
      Map.of(
          BY_KEY,
          EmbeddedShop.BY_ANY_PK,
          LIST,
          HttpProbe.graphQl(
                  "query($after: Int!) { products(limit: 20, after: $after) { id code name stock"
                      + " active rating created weight brand { id name } prices { currency amount }"
                      + " } }",
                  "{\"after\":4711}")
              .varying(),
          INSERT,
          HttpProbe.graphQl(
              "mutation { addVisit(product_id: 4711, note: \"hello\") { id note } }"));

  private final String title;
  private final String expected;

  ShopRequest(String title, String expected) {
    this.title = title;
    this.expected = expected;
  }

  String title() {
    return title;
  }

  /** A part of each right answer. */
  String expected() {
    return expected;
  }
}
