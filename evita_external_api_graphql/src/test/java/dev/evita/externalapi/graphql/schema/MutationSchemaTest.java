// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.api.Capability;
import dev.evita.api.Catalog;
import dev.evita.api.Column;
import dev.evita.api.DataType;
import dev.evita.api.Key;
import dev.evita.api.Routine;
import dev.evita.api.Schema;
import dev.evita.api.Table;
import dev.evita.api.TableName;
import dev.evita.externalapi.graphql.ShopData;
import dev.evita.externalapi.graphql.model.ApiModel;
import graphql.schema.GraphQLSchema;
import graphql.schema.idl.SchemaPrinter;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The types of mutations are Hasura's. */
final class MutationSchemaTest {

  private static GraphQLSchema schema(Catalog catalog) {
    var model = ApiModel.of(catalog, EnumSet.allOf(Capability.class));
    return SchemaGenerator.generate(model, true);
  }

  private static Catalog catalog(List<Routine> routines, Table... tables) {
    return new Catalog(
        1,
        "public",
        Catalog.Folding.NONE,
        List.of(new Schema("public", List.of(tables), routines, null)));
  }

  private static Table table(String name, Table.Kind kind, List<Key> unique, Column... columns) {
    return new Table(
        new TableName("public", name),
        kind,
        List.of(columns),
        kind == Table.Kind.VIEW ? null : new Key(name + "_pkey", List.of(columns[0].name())),
        unique,
        List.of(),
        List.of(),
        null);
  }

  private static Column column(String name, Column.Generation generation) {
    return new Column(name, DataType.Scalar.INT32, "int", false, null, generation, null);
  }

  private static String print(GraphQLSchema schema, String type) {
    return new SchemaPrinter().print(schema.getType(type)).replaceAll("\"[^\"]*\"\\s*", "").strip();
  }

  private static List<String> fields(GraphQLSchema schema) {
    return schema.getMutationType().getFieldDefinitions().stream().map(f -> f.getName()).toList();
  }

  @Test
  void mutationRoot_ofAShop_hasHasurasFields() {
    assertThat(print(schema(ShopData.catalog()), "mutation_root"))
        .contains("delete_prices(where: prices_bool_exp!): prices_mutation_response\n")
        .contains("delete_prices_by_pk(currency: String!, product_id: Int!): prices\n")
        .contains(
            "insert_products(objects: [products_insert_input!]!, on_conflict:"
                + " products_on_conflict): products_mutation_response\n")
        .contains(
            "insert_products_one(object: products_insert_input!, on_conflict:"
                + " products_on_conflict): products\n")
        .contains(
            "update_products(_inc: products_inc_input, _set: products_set_input, where:"
                + " products_bool_exp!): products_mutation_response\n")
        .contains(
            "update_products_by_pk(_inc: products_inc_input, _set: products_set_input,"
                + " pk_columns: products_pk_columns_input!): products\n")
        .contains(
            "update_products_many(updates: [products_updates!]!): [products_mutation_response]\n");
  }

  @Test
  void inputs_ofATable_areHasuras() {
    var schema = schema(ShopData.catalog());
    assertThat(print(schema, "products_insert_input"))
        .isEqualTo(
            """
            input products_insert_input {
              active: Boolean
              added: date
              brand: brands_obj_rel_insert_input
              brand_id: Int
              id: Int
              name: String
              prices: prices_arr_rel_insert_input
              serial: bigint
              weight: numeric
            }\
            """);
    assertThat(print(schema, "prices_arr_rel_insert_input"))
        .isEqualTo(
            """
            input prices_arr_rel_insert_input {
              data: [prices_insert_input!]!
              on_conflict: prices_on_conflict
            }\
            """);
    assertThat(print(schema, "brands_obj_rel_insert_input")).contains("data: brands_insert_input!");
    assertThat(print(schema, "prices_on_conflict"))
        .isEqualTo(
            """
            input prices_on_conflict {
              constraint: prices_constraint!
              update_columns: [prices_update_column!]! = []
            }\
            """);
    assertThat(print(schema, "prices_constraint")).contains("pk");
    assertThat(print(schema, "prices_update_column"))
        .isEqualTo("enum prices_update_column {\n  amount\n  currency\n  product_id\n}");
    assertThat(print(schema, "prices_inc_input"))
        .isEqualTo("input prices_inc_input {\n  amount: numeric\n  product_id: Int\n}");
    assertThat(print(schema, "prices_pk_columns_input"))
        .isEqualTo("input prices_pk_columns_input {\n  currency: String!\n  product_id: Int!\n}");
    assertThat(print(schema, "prices_updates"))
        .isEqualTo(
            """
            input prices_updates {
              _inc: prices_inc_input
              _set: prices_set_input
              where: prices_bool_exp!
            }\
            """);
    assertThat(print(schema, "prices_mutation_response"))
        .isEqualTo(
            """
            type prices_mutation_response {
              affected_rows: Int!
              returning: [prices!]!
            }\
            """);
  }

  @Test
  void viewsAndGeneratedColumns_areNotWritten() {
    var schema =
        schema(
            catalog(
                List.of(),
                table("v", Table.Kind.VIEW, List.of(), column("id", Column.Generation.NONE)),
                table(
                    "only",
                    Table.Kind.TABLE,
                    List.of(),
                    column("id", Column.Generation.IDENTITY_ALWAYS)),
                table(
                    "t",
                    Table.Kind.TABLE,
                    List.of(new Key("odd name", List.of("n")), new Key("true", List.of("m"))),
                    column("id", Column.Generation.IDENTITY_ALWAYS),
                    column("free", Column.Generation.IDENTITY_BY_DEFAULT),
                    column("computed", Column.Generation.COMPUTED),
                    column("n", Column.Generation.NONE),
                    column("m", Column.Generation.NONE))));
    assertThat(fields(schema))
        .containsExactlyInAnyOrder(
            "delete_only",
            "delete_only_by_pk",
            "insert_t",
            "insert_t_one",
            "update_t",
            "update_t_by_pk",
            "update_t_many",
            "delete_t",
            "delete_t_by_pk");
    assertThat(print(schema, "t_insert_input"))
        .isEqualTo("input t_insert_input {\n  free: Int\n  m: Int\n  n: Int\n}");
    assertThat(print(schema, "t_constraint"))
        .isEqualTo("enum t_constraint {\n  odd_name\n  t_pkey\n  true_2\n}");
  }

  @Test
  void databaseWithoutTables_hasNoMutations() {
    assertThat(schema(catalog(List.of())).getMutationType()).isNull();
  }

  @Test
  void collidingNames_areDistinguished() {
    var id = column("id", Column.Generation.NONE);
    var schema =
        schema(
            catalog(
                List.of(routine("insert_x")),
                table("x", Table.Kind.TABLE, List.of(), id),
                table("x_one", Table.Kind.TABLE, List.of(), id),
                table("x_insert_input", Table.Kind.TABLE, List.of(), id),
                table("mutation_root", Table.Kind.TABLE, List.of(), id)));
    assertThat(fields(schema))
        .contains("insert_x", "insert_x_2", "insert_x_one", "insert_x_one_2")
        .contains("insert_mutation_root", "insert_x_one_one");
    assertThat(print(schema, "x_insert_input")).startsWith("type");
    assertThat(print(schema, "x_insert_input_2")).startsWith("input");
  }

  private static Routine routine(String name) {
    var result = Column.of("result", DataType.Scalar.TEXT, true);
    return new Routine("public", name, List.of(), List.of(result), false, false, null);
  }

  @Test
  void routinesThatWrite_areFieldsWhereTheEngineHasThem() {
    var catalog = catalog(List.of(routine("archive")));
    assertThat(fields(schema(catalog))).containsExactly("archive");
    var without =
        SchemaGenerator.generate(
            ApiModel.of(catalog, EnumSet.of(Capability.TRANSACTIONS, Capability.INSERT)), true);
    assertThat(without.getMutationType()).isNull();
  }
}
