// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.plan;

import dev.evita.api.Column;
import dev.evita.externalapi.core.json.JsonShape;
import dev.evita.externalapi.graphql.model.RootModel;
import graphql.language.Field;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Compiles fields that call routines. */
public final class CallCompiler {

  private CallCompiler() {}

  /** A call, and the shape of its rows. */
  public record Compiled(OperationTemplate.OfCall template, JsonShape shape) {}

  /**
   * The call of a root field.
   *
   * @param root the object type that has the field
   */
  public static Compiled compile(
      RootModel.Call call, String root, List<Field> fields, FieldReader reader) {
    var field = fields.getFirst();
    var definition = reader.definition(root, field);
    var arguments = new LinkedHashMap<String, @Nullable Object>();
    for (var argument : field.getArguments()) {
      var name = argument.getName();
      arguments.put(name, reader.argument(definition, field, name, null));
    }
    var columns = new ArrayList<Column>();
    var shape = result(call, fields, columns, reader);
    var template =
        new OperationTemplate.OfCall(call.routine(), call.arguments(), arguments, columns);
    return new Compiled(template, shape);
  }

  private static JsonShape result(
      RootModel.Call call, List<Field> fields, List<Column> columns, FieldReader reader) {
    var shape = new JsonShape.Builder();
    for (var entry : reader.collect(call.typeName(), fields).entrySet()) {
      var name = entry.getValue().getFirst().getName();
      if (name.equals(FieldReader.TYPE_NAME)) {
        shape.constant(entry.getKey(), call.typeName());
        continue;
      }
      if (call.fields().isEmpty()) {
        shape.always(entry.getKey());
        continue;
      }
      var column = Objects.requireNonNull(call.fields().get(name));
      if (!columns.contains(column)) {
        columns.add(column);
      }
      shape.member(entry.getKey(), RowCompiler.value(columns.indexOf(column), column, name));
    }
    return shape.build();
  }
}
