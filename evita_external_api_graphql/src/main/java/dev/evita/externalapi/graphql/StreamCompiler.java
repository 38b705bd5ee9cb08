// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql;

import graphql.language.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Compiles a streaming field of a subscription. */
record StreamCompiler(GraphQlSchema api, FieldReader reader, RowCompiler rows) {

  StreamSource compile(StreamModel stream, String key, List<Field> fields) {
    var table = stream.table();
    var field = fields.getFirst();
    var definition = reader.definition(ApiModel.SUBSCRIPTION_ROOT, field);
    var slots = new ArrayList<Template.Slot>();
    var shape = rows.object(table, fields, slots, 2);
    var where = reader.argument(definition, field, "where", null);
    var arguments = new RowArguments(where, null, null, null, null, null, null);
    return new StreamSource(
        api,
        stream,
        new Template.OfSelect(table, RowCompiler.filled(table, slots), arguments, Map.of()),
        shape,
        key,
        reader.argument(definition, field, "batch_size", null),
        reader.argument(definition, field, "cursor", null));
  }
}
