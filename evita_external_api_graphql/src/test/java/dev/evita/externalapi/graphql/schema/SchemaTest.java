// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.api.Capability;
import dev.evita.api.Catalog;
import dev.evita.api.Column;
import dev.evita.api.DataType;
import dev.evita.api.ForeignKey;
import dev.evita.api.Schema;
import dev.evita.api.Table;
import dev.evita.api.TableName;
import dev.evita.externalapi.graphql.ShopData;
import dev.evita.externalapi.graphql.model.ApiModel;
import graphql.schema.GraphQLSchema;
import graphql.schema.idl.SchemaPrinter;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SchemaTest {

  private static GraphQLSchema schema(Catalog catalog) {
    var capabilities =
        EnumSet.complementOf(
            EnumSet.of(
                Capability.REGULAR_EXPRESSIONS, Capability.ARRAYS, Capability.JSON_CONTAINMENT));
    return SchemaGenerator.generate(ApiModel.of(catalog, capabilities), true);
  }

  private static GraphQLSchema schema(Table... tables) {
    return schema(
        new Catalog(
            1,
            "public",
            Catalog.Folding.NONE,
            List.of(new Schema("public", List.of(tables), List.of(), null))));
  }

  private static Table table(String name, Column... columns) {
    return ShopData.table(
        new TableName("public", name), List.of(columns), List.of(columns[0].name()), List.of());
  }

  private static Table table(String name) {
    return table(name, Column.of("id", DataType.Scalar.INT32, false));
  }

  private static String print(GraphQLSchema schema, String type) {
    return new SchemaPrinter().print(schema.getType(type)).strip();
  }

  private static List<String> roots(GraphQLSchema schema) {
    return schema.getQueryType().getFieldDefinitions().stream().map(f -> f.getName()).toList();
  }

  @Test
  void queryRoot_ofAShop_hasHasurasFields() {
    assertThat(
            print(schema(ShopData.catalog()), "query_root").replaceAll("\"\"\".*?\"\"\"\\s*", ""))
        .contains("products_by_pk(id: Int!): products\n")
        .contains("prices_by_pk(currency: String!, product_id: Int!): prices\n")
        .contains("echo(message: String!): echo_result\n")
        .contains(
            "products(distinct_on: [products_select_column!], limit: Int, offset: Int,"
                + " order_by: [products_order_by!], where: products_bool_exp): [products!]!\n")
        .contains("where: products_bool_exp): products_aggregate!");
  }

  @Test
  void objectType_ofATable_hasColumnsAndRelationships() {
    assertThat(print(schema(ShopData.catalog()), "products"))
        .isEqualTo(
            """
            type products {
              active: Boolean!
              added: date
              brand: brands
              brand_id: Int
              id: Int!
              name: String
              prices(distinct_on: [prices_select_column!], limit: Int, offset: Int, order_by: [prices_order_by!], where: prices_bool_exp): [prices!]!
              prices_aggregate(distinct_on: [prices_select_column!], limit: Int, offset: Int, order_by: [prices_order_by!], where: prices_bool_exp): prices_aggregate!
              "Rows of prices in groups of equal columns."
              prices_group_by(by: [prices_select_column!]!, limit: Int, offset: Int, order_by: [prices_group_order_by!], where: prices_bool_exp): [prices_group!]!
              serial: bigint
              weight: numeric
            }\
            """);
  }

  @Test
  void inputs_ofATable_areHasuras() {
    var schema = schema(ShopData.catalog());
    assertThat(print(schema, "products_bool_exp"))
        .isEqualTo(
            """
            "Which rows of products; all conditions must hold."
            input products_bool_exp {
              _and: [products_bool_exp!]
              _not: products_bool_exp
              _or: [products_bool_exp!]
              active: Boolean_comparison_exp
              added: date_comparison_exp
              brand: brands_bool_exp
              brand_id: Int_comparison_exp
              id: Int_comparison_exp
              name: String_comparison_exp
              prices: prices_bool_exp
              prices_aggregate: prices_aggregate_bool_exp
              serial: bigint_comparison_exp
              weight: numeric_comparison_exp
            }\
            """);
    assertThat(print(schema, "prices_order_by"))
        .isEqualTo(
            """
            "An order of rows of prices."
            input prices_order_by {
              amount: order_by
              currency: order_by
              product: products_order_by
              product_id: order_by
            }\
            """);
    assertThat(print(schema, "String_comparison_exp"))
        .isEqualTo(
            """
            input String_comparison_exp {
              _eq: String
              _gt: String
              _gte: String
              _ilike: String
              _in: [String!]
              _is_null: Boolean
              _like: String
              _lt: String
              _lte: String
              _neq: String
              _nilike: String
              _nin: [String!]
              _nlike: String
            }\
            """);
  }

  @Test
  void aggregateTypes_ofATable_areHasuras() {
    var schema = schema(ShopData.catalog());
    assertThat(print(schema, "prices_aggregate_fields"))
        .isEqualTo(
            """
            type prices_aggregate_fields {
              avg: prices_avg_fields
              count(columns: [prices_select_column!], distinct: Boolean): Int!
              max: prices_max_fields
              min: prices_min_fields
              sum: prices_sum_fields
            }\
            """);
    assertThat(print(schema, "prices_sum_fields"))
        .isEqualTo("type prices_sum_fields {\n  amount: numeric\n  product_id: bigint\n}");
  }

  @Test
  void schema_ofAnEmptyDatabase_isValid() {
    assertThat(roots(schema())).containsExactly("no_queries_available");
  }

  @Test
  void collidingNames_areDistinguished() {
    var schema =
        schema(
            table("products"),
            table("products_aggregate"),
            table("products_by_pk"),
            table("String"),
            table("query_root"),
            table("order_by"),
            table("bigint"),
            table("Int_comparison_exp"),
            table("a \"b\""),
            table("a 'b'"),
            table("Products"));
    assertThat(roots(schema))
        .contains("products", "products_aggregate", "products_by_pk", "Products")
        .contains("products_aggregate_2", "products_by_pk_2")
        .contains("String", "query_root", "order_by", "bigint", "a__b_", "a__b__2");
    assertThat(print(schema, "String_2")).isEqualTo("type String_2 {\n  id: Int!\n}");
    assertThat(schema.getObjectType("query_root_2")).isNotNull();
    assertThat(schema.getObjectType("order_by_2")).isNotNull();
    assertThat(schema.getObjectType("Int_comparison_exp_2")).isNotNull();
  }

  @Test
  void columns_namedLikeOperatorsOrEnumLiterals_areDistinguished() {
    var schema =
        schema(
            table(
                "t",
                Column.of("_and", DataType.Scalar.INT32, false),
                Column.of("true", DataType.Scalar.TEXT, true),
                Column.of("__typename", DataType.Scalar.TEXT, true)));
    assertThat(print(schema, "t"))
        .isEqualTo("type t {\n  _and_2: Int!\n  _typename: String\n  true_2: String\n}");
  }

  @Test
  void types_ofTheDatabase_becomeScalarsAndLists() {
    var mood = new DataType.Enumeration("mood", List.of("sad", "very glad"));
    var schema =
        schema(
            table(
                "t",
                Column.of("id", DataType.Scalar.INT64, false),
                Column.of("tags", new DataType.Array(DataType.Scalar.TEXT), true),
                Column.of("mood", mood, true),
                Column.of("place", new DataType.Other("geo point", true), true),
                Column.of("data", DataType.Scalar.JSON, true)));
    assertThat(print(schema, "t"))
        .isEqualTo(
            """
            type t {
              data: json
              id: bigint!
              mood: mood
              place: geo_point
              tags: [String]
            }\
            """);
    assertThat(print(schema, "String_array_comparison_exp"))
        .isEqualTo(
            """
            input String_array_comparison_exp {
              _eq: [String]
              _is_null: Boolean
              _neq: [String]
            }\
            """);
  }

  @Test
  void comments_ofTheDatabase_areDescriptions() {
    var column =
        new Column(
            "id", DataType.Scalar.INT32, "int", false, null, Column.Generation.NONE, "The key.");
    var schema =
        schema(
            new Table(
                new TableName("public", "t"),
                Table.Kind.VIEW,
                List.of(column),
                null,
                List.of(),
                List.of(),
                List.of(),
                "All of them."));
    assertThat(print(schema, "t"))
        .isEqualTo("\"All of them.\"\ntype t {\n  \"The key.\"\n  id: Int!\n}");
    assertThat(roots(schema)).containsExactly("t", "t_aggregate", "t_group_by");
  }

  @Test
  void schema_ofFiveHundredTables_isBuilt() {
    var types = List.of(DataType.Scalar.values());
    var tables = new ArrayList<Table>();
    for (int i = 0; i < 500; i++) {
      var columns = new ArrayList<Column>();
      for (int c = 0; c < 10; c++) {
        columns.add(Column.of("c" + c, types.get((i + c) % types.size()), c > 0));
      }
      var target = new TableName("public", "t" + i / 2);
      tables.add(
          ShopData.table(
              new TableName("public", "t" + i),
              columns,
              List.of("c0"),
              List.of(new ForeignKey("fk", List.of("c1"), target, List.of("c0")))));
    }
    // A connection for each but the 29 whose key is JSON, which has no order.
    assertThat(roots(schema(tables.toArray(Table[]::new)))).hasSize(2_500 - 29);
  }
}
