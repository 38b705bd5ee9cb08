// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.queries;

import dev.evita.api.EvitaException;
import dev.evita.externalapi.graphql.input.RowArguments;
import dev.evita.externalapi.graphql.model.ApiModel;
import dev.evita.externalapi.graphql.model.StreamModel;
import dev.evita.externalapi.graphql.plan.FieldPosition;
import dev.evita.externalapi.graphql.plan.FieldReader;
import dev.evita.externalapi.graphql.plan.OperationTemplate;
import dev.evita.externalapi.graphql.plan.OperationVariant;
import dev.evita.externalapi.graphql.plan.RowCompiler;
import dev.evita.externalapi.graphql.plan.StreamSource;
import dev.evita.externalapi.graphql.request.RequestError;
import dev.evita.externalapi.graphql.schema.GraphQlSchema;
import graphql.language.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Compiles a streaming field of a subscription. */
record StreamCompiler(GraphQlSchema api, FieldReader reader, RowCompiler rows) {

  OperationVariant.Stream compile(StreamModel stream, String key, List<Field> fields) {
    var position = new FieldPosition(List.of(key), fields.getFirst().getSourceLocation());
    try {
      return new OperationVariant.Stream(source(stream, key, fields), position);
    } catch (EvitaException e) {
      throw RequestError.at(e, position.at(), position.path());
    }
  }

  private StreamSource source(StreamModel stream, String key, List<Field> fields) {
    var table = stream.table();
    var field = fields.getFirst();
    var definition = reader.definition(ApiModel.SUBSCRIPTION_ROOT, field);
    var slots = new ArrayList<OperationTemplate.Slot>();
    var shape = rows.object(table, fields, slots, 2);
    var where = reader.argument(definition, field, "where", null);
    var arguments = new RowArguments(where, null, null, null, null, null, null);
    return new StreamSource(
        api,
        stream,
        new OperationTemplate.OfSelect(
            table, RowCompiler.filled(table, slots), arguments, Map.of()),
        shape,
        key,
        reader.argument(definition, field, "batch_size", null),
        reader.argument(definition, field, "cursor", null));
  }
}
