// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.routines;

import dev.evita.api.Arguments;
import dev.evita.api.Call;
import dev.evita.api.Capability;
import dev.evita.api.Column;
import dev.evita.api.Output;
import dev.evita.api.Parameter;
import dev.evita.api.Prepared;
import dev.evita.api.Select;
import dev.evita.externalapi.core.json.JsonShape;
import dev.evita.externalapi.core.limits.Cost;
import dev.evita.externalapi.core.limits.Limits;
import dev.evita.externalapi.core.work.PlacementHistory;
import dev.evita.externalapi.core.work.Statements;
import dev.evita.externalapi.rest.model.RestFailure;
import dev.evita.externalapi.rest.model.RestModel;
import dev.evita.externalapi.rest.model.RestRoutine;
import dev.evita.externalapi.rest.model.RestTable;
import dev.evita.externalapi.rest.model.ValueReader;
import dev.evita.externalapi.rest.reads.Casts;
import dev.evita.externalapi.rest.reads.ReadCompiler;
import dev.evita.externalapi.rest.reads.ReadPlan;
import dev.evita.externalapi.rest.request.ReadQuery;
import dev.evita.externalapi.rest.request.RestRequest;
import dev.evita.externalapi.rest.request.RowRange;
import dev.evita.externalapi.rest.request.RowWindow;
import dev.evita.externalapi.rest.request.SelectItem;
import dev.evita.externalapi.rest.response.EmbedLevel;
import dev.evita.externalapi.rest.response.RowFormat;
import dev.evita.externalapi.rest.response.RowWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Routines as resources, {@code rpc/{name}}. May block on the engine. Thread-safe; for one catalog
 * epoch.
 */
public final class RoutineResources {

  private final RestModel model;
  private final Set<Capability> capabilities;
  private final Statements statements;
  private final String path;
  private final Limits limits;
  private final PlacementHistory reading =
      new PlacementHistory("REST calls of routines that only read");

  /**
   * A call that is ready to run.
   *
   * @param readOnly whether the routine is declared read-only
   * @param window the returned rows, of those that match
   */
  public record Bound(
      ReadPlan plan,
      Arguments arguments,
      boolean readOnly,
      RowFormat format,
      RowWriter writer,
      RowWindow window) {

    /** Whether it returns anything. */
    public boolean returnsResult() {
      return !plan.members().isEmpty();
    }
  }

  public RoutineResources(
      RestModel model,
      Set<Capability> capabilities,
      Statements statements,
      String path,
      Limits limits) {
    this.model = model;
    this.capabilities = capabilities;
    this.statements = statements;
    this.path = path + "/rpc/";
    this.limits = limits;
  }

  /** Whether the path is one of a routine. */
  public boolean isCall(String requested) {
    return requested.startsWith(path);
  }

  /**
   * Returns the call that a request specifies.
   *
   * @param query as {@link RestRequest#query}
   * @param counts whether the number of all rows is requested
   * @throws RestFailure PGRST202 and as {@link CallRequest}; 405 for a method that calls nothing
   */
  public Bound bind(RestRequest request, String query, boolean counts) {
    var writes = request.method().equals("POST");
    if (!writes && !isReading(request.method())) {
      throw RestFailure.notAllowed(
          "PGRST101",
          "A routine is called by GET or POST",
          "Use POST",
          "GET, HEAD, QUERY, POST, OPTIONS");
    }
    var body = writes ? Objects.requireNonNullElse(request.tree(), Map.of()) : null;
    var profile = request.header(writes ? "Content-Profile" : "Accept-Profile");
    var name = request.path().substring(path.length());
    var named = model.routines(profile).getOrDefault(name, List.of());
    var call = new CallRequest(named, query, body, limits.depthLimit());
    call.rows().range(RowRange.of(request.method(), request.header("Range")));
    var routine = model.requireRoutine(profile, name, call.names());
    var format = RowFormat.negotiate(request.header("Accept"));
    var many = routine.routine().returnsMany() && !routine.result().isEmpty();
    return many ? rows(routine, call, format, counts) : one(routine, call, format);
  }

  private static boolean isReading(String method) {
    return method.equals("GET") || method.equals("HEAD") || method.equals("QUERY");
  }

  /** With several rows, the database filters and orders them like those of a table. */
  private Bound rows(RestRoutine routine, CallRequest request, RowFormat format, boolean counts) {
    var read = request.rows();
    var compiler = new ReadCompiler(model, capabilities, read);
    var level = compiler.compile(new RestTable(routine));
    var select = requirePlain(routine, level.select());
    var own = routine.routine();
    var given = new LinkedHashMap<String, Parameter>();
    var values = values(routine, request, read.values().size(), given);
    var call = Call.of(own, given, select);
    var counted = counts && own.readOnly();
    var shape =
        own.scalar() && !read.selects()
            ? JsonShape.alone(level.members().getFirst().node())
            : level.shape().build();
    var plan =
        plan(
            call,
            false,
            counted ? statements.prepare(Call.of(own, given, ReadPlan.count(select))) : null,
            ReadCompiler.isOneRow(select),
            shape,
            level.members(),
            compiler.readers());
    var arguments = new @Nullable Object[read.values().size() + values.size()];
    plan.read(read.values(), arguments);
    for (int i = 0; i < values.size(); i++) {
      arguments[read.values().size() + i] = values.get(i);
    }
    return new Bound(
        plan,
        Arguments.of(arguments),
        own.readOnly(),
        format,
        plan.writer(format, read),
        plan.window(read));
  }

  private static Select requirePlain(RestRoutine routine, Select select) {
    if (!select.groupBy().isEmpty()) {
      throw RestFailure.unsupported(
          "The result of '" + routine.name() + "' cannot be grouped", "Remove the plain columns");
    }
    return select;
  }

  /** A plain value, a row, or nothing. */
  private Bound one(RestRoutine routine, CallRequest request, RowFormat format) {
    var read = request.rows();
    if (read.chooses()) {
      throw RestFailure.unsupported(
          "'" + routine.name() + "' does not return rows that can be filtered",
          "Only select applies to its result");
    }
    var outputs = new ArrayList<Output>();
    var members = new ArrayList<EmbedLevel.Member>();
    var shape = shape(routine, read, outputs, members);
    var given = new LinkedHashMap<String, Parameter>();
    var values = values(routine, request, 0, given);
    var own = routine.routine();
    var plan =
        plan(
            new Call(own.schema(), own.name(), given, outputs),
            true,
            null,
            false,
            shape,
            members,
            new @Nullable ValueReader[0]);
    // A single value or row is not wrapped in an array, like the single object of rows.
    var window = RowWindow.of(read);
    var writer =
        new RowWriter(format.alone(), shape, members).window(window.offset(), window.limit());
    return new Bound(
        plan, Arguments.of(values.toArray()), own.readOnly(), format, writer, RowWindow.ALL);
  }

  private ReadPlan plan(
      Call call,
      boolean single,
      @Nullable Prepared count,
      boolean aggregated,
      JsonShape shape,
      List<EmbedLevel.Member> members,
      @Nullable ValueReader[] readers) {
    return new ReadPlan(
        statements.prepare(call),
        count,
        aggregated,
        shape,
        members,
        readers,
        Cost.of(call, single, limits.estimatedRows()),
        limits.maxCost(),
        null,
        reading);
  }

  /**
   * Returns the arguments in call order.
   *
   * @param first the place of the first of them
   * @param given receives the index of each, by its parameter
   */
  private static List<@Nullable Object> values(
      RestRoutine routine, CallRequest request, int first, Map<String, Parameter> given) {
    var values = new ArrayList<@Nullable Object>();
    routine
        .parameters()
        .forEach((name, column) -> {
          if (request.names().contains(name)) {
            given.put(column.name(), new Parameter(first + values.size()));
            values.add(request.value(name, column));
          }
        });
    return values;
  }

  private static JsonShape shape(
      RestRoutine routine, ReadQuery read, List<Output> outputs, List<EmbedLevel.Member> members) {
    var shape = new JsonShape.Builder();
    for (var item : read.items()) {
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
                "Only columns of a routine's result can be selected",
                "It returns " + String.join(", ", routine.result().keySet()));
      }
    }
    return routine.routine().scalar() && !read.selects()
        ? JsonShape.alone(members.getFirst().node())
        : shape.build();
  }

  private static void add(
      JsonShape.Builder shape,
      List<Output> outputs,
      List<EmbedLevel.Member> members,
      String name,
      Column column,
      @Nullable String cast) {
    var node = Casts.shown(outputs.size(), column.type(), column.name(), cast);
    if (node == null) {
      throw Casts.refused(name, String.valueOf(cast));
    }
    outputs.add(new Output.Column(column.name()));
    shape.member(name, node);
    members.add(new EmbedLevel.Member(name, node));
  }
}
