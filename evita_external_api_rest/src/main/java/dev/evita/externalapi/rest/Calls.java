// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest;

import dev.evita.api.Arguments;
import dev.evita.api.Call;
import dev.evita.api.Column;
import dev.evita.api.ErrorCode;
import dev.evita.api.Output;
import dev.evita.api.Parameter;
import dev.evita.externalapi.core.Cost;
import dev.evita.externalapi.core.Limits;
import dev.evita.externalapi.core.Plan;
import dev.evita.externalapi.core.Shape;
import dev.evita.externalapi.core.Statements;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Routines as resources, {@code rpc/{name}}. May block on the engine. Thread-safe; for one catalog
 * epoch.
 */
final class Calls {

  private final RestModel model;
  private final Statements statements;
  private final String path;
  private final Limits limits;
  private final Plan reading = new Plan("REST calls of routines that only read");

  /** A call that is ready to run. */
  record Bound(
      ReadPlan plan, Arguments arguments, RowFormat format, RowWriter writer, boolean answers) {}

  Calls(RestModel model, Statements statements, String path, Limits limits) {
    this.model = model;
    this.statements = statements;
    this.path = path + "/rpc/";
    this.limits = limits;
  }

  /** Whether the path is one of a routine. */
  boolean isCall(String requested) {
    return requested.startsWith(path);
  }

  /**
   * The call that a request asks for.
   *
   * @param query as {@link RestRequest#query}
   * @throws RestFailure PGRST202 and as {@link CallRequest}; 405 for a {@code GET} of a routine
   *     that may write
   */
  Bound bind(RestRequest request, String query) {
    var writes = request.method().equals("POST");
    if (!writes && !isReading(request.method())) {
      throw refused("A routine is called by POST, and by GET if it only reads");
    }
    var body = writes ? Objects.requireNonNullElse(request.tree(), Map.of()) : null;
    var call = new CallRequest(query, body);
    var profile = request.header(writes ? "Content-Profile" : "Accept-Profile");
    var name = request.path().substring(path.length());
    var routine = model.requireRoutine(profile, name, call.names());
    if (!writes && !routine.routine().readOnly()) {
      throw refused("The routine '" + routine.name() + "' may write; call it by POST");
    }
    return bind(routine, call, RowFormat.negotiate(request.header("Accept")));
  }

  private static boolean isReading(String method) {
    return method.equals("GET") || method.equals("HEAD") || method.equals("QUERY");
  }

  private static RestFailure refused(String message) {
    return new RestFailure(
        405, ErrorCode.METHOD_NOT_ALLOWED, "PGRST101", message, null, "Use POST");
  }

  private Bound bind(RestRoutine routine, CallRequest request, RowFormat format) {
    var outputs = new ArrayList<Output>();
    var members = new ArrayList<Level.Member>();
    var shape = shape(routine, request, outputs, members);
    var given = new LinkedHashMap<String, Parameter>();
    var values = new ArrayList<@Nullable Object>();
    routine
        .parameters()
        .forEach((name, column) -> {
          if (request.names().contains(name)) {
            given.put(column.name(), new Parameter(values.size()));
            values.add(request.value(name, column));
          }
        });
    var own = routine.routine();
    var operation = new Call(own.schema(), own.name(), given, outputs);
    var prepared = statements.prepare(operation);
    var cost = Cost.of(operation, !own.returnsMany(), limits.estimatedRows());
    var plan =
        new ReadPlan(
            prepared,
            null,
            shape,
            members,
            new @Nullable ValueReader[0],
            cost,
            limits.maxCost(),
            null,
            reading);
    // A single value or row stands alone, as the one object of rows does.
    var form = own.returnsMany() ? format : format.alone();
    var writer = new RowWriter(form, shape, members).window(request.offset(), request.limit());
    return new Bound(plan, Arguments.of(values.toArray()), format, writer, !outputs.isEmpty());
  }

  private Shape shape(
      RestRoutine routine, CallRequest request, List<Output> outputs, List<Level.Member> members) {
    var shape = new Shape.Builder();
    for (var item : SelectParser.parse(request.select(), limits.maxDepth())) {
      switch (item) {
        case SelectItem.All all ->
            routine
                .result()
                .forEach((name, column) -> add(shape, outputs, members, name, column, null));
        case SelectItem.Value(var alias, var field, var function, var cast)
            when field != null && field.isColumn() && function == null -> {
          var column = routine.requireColumn(field.column());
          add(shape, outputs, members, alias == null ? field.column() : alias, column, cast);
        }
        default ->
            throw RestFailure.unsupported(
                "Of what a routine answers, only columns can be selected",
                "It answers " + String.join(", ", routine.result().keySet()));
      }
    }
    return routine.routine().scalar() && request.select().isEmpty()
        ? Shape.alone(members.getFirst().node())
        : shape.build();
  }

  private static void add(
      Shape.Builder shape,
      List<Output> outputs,
      List<Level.Member> members,
      String name,
      Column column,
      @Nullable String cast) {
    var node = Casts.shown(outputs.size(), column.type(), column.name(), cast);
    if (node == null) {
      throw Casts.refused(name, String.valueOf(cast));
    }
    outputs.add(new Output.Column(column.name()));
    shape.member(name, node);
    members.add(new Level.Member(name, node));
  }
}
