// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.reads;

import dev.evita.api.Capability;
import dev.evita.api.Column;
import dev.evita.api.ErrorCode;
import dev.evita.api.Filter;
import dev.evita.api.Order;
import dev.evita.api.Output;
import dev.evita.api.Parameter;
import dev.evita.api.Relationship;
import dev.evita.api.Select;
import dev.evita.externalapi.core.json.JsonShape;
import dev.evita.externalapi.core.json.JsonShape.Node;
import dev.evita.externalapi.rest.model.RestFailure;
import dev.evita.externalapi.rest.model.RestModel;
import dev.evita.externalapi.rest.model.RestTable;
import dev.evita.externalapi.rest.model.ValueReader;
import dev.evita.externalapi.rest.request.Condition;
import dev.evita.externalapi.rest.request.EmbeddedClauses;
import dev.evita.externalapi.rest.request.FieldPath;
import dev.evita.externalapi.rest.request.OrderTerm;
import dev.evita.externalapi.rest.request.ReadQuery;
import dev.evita.externalapi.rest.request.ReadQuery.Clauses;
import dev.evita.externalapi.rest.request.SelectItem;
import dev.evita.externalapi.rest.response.EmbedLevel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Compiles the shape of a request into one select with its nested ones. Used once. */
public final class ReadCompiler {

  private final RestModel model;
  private final ReadQuery request;
  private final FilterCompiler filters;
  private Map<String, Clauses> clauses = Map.of();

  /** The paths of spread resources whose members are lists. */
  private final Set<String> lists = new HashSet<>();

  /**
   * An embedded resource.
   *
   * @param exists the filter that a row has related rows
   * @param where the filter on its rows; null for none
   */
  private record Embedded(Embedding embedding, Filter exists, @Nullable Filter where) {}

  /** The compiled items of one level. */
  private final class Items {
    private final RestTable table;
    private final List<SelectItem> items;
    private final String path;
    private final JsonShape.Builder shape;
    private final List<Output> outputs = new ArrayList<>();
    private final List<String> plain = new ArrayList<>();
    private final List<EmbedLevel.Member> members = new ArrayList<>();
    private final List<Filter> inner = new ArrayList<>();
    private final Map<String, Embedded> embedded = new HashMap<>();
    private boolean aggregated;
    private @Nullable String computed;

    private Items(RestTable table, List<SelectItem> items, String path, JsonShape.Builder shape) {
      this.table = table;
      this.items = items;
      this.path = path;
      this.shape = shape;
    }

    private int output(Output output) {
      outputs.add(output);
      return outputs.size() - 1;
    }

    private void add(SelectItem item) {
      switch (item) {
        case SelectItem.All all ->
            table
                .columns()
                .forEach((name, column) ->
                    value(name, new FieldPath(name, List.of(), false), column, null));
        case SelectItem.Value value when value.function() != null -> aggregate(value);
        case SelectItem.Value value when isCount(value) ->
            aggregate(
                new SelectItem.Value(value.alias(), null, Output.Function.COUNT, value.cast()));
        case SelectItem.Value value -> {
          var field = Objects.requireNonNull(value.field());
          var column = table.requireColumn(field.column());
          value(alias(value.alias(), field.name()), field, column, value.cast());
        }
        case SelectItem.Embed embed -> embed(embed);
      }
    }

    private void value(String name, FieldPath field, Column column, @Nullable String cast) {
      var type = field.type(column);
      var shown = Casts.shown(outputs.size(), type, field.column(), cast);
      if (shown != null) {
        output(field.of(column));
      } else {
        var target = Casts.type(Objects.requireNonNull(cast));
        var slot = output(new Output.Cast(field.of(column), target));
        shown = new Node.Value(slot, target, false, field.column());
      }
      if (outputs.getLast() instanceof Output.Column) {
        plain.add(column.name());
      } else {
        computed = name;
      }
      member(name, shown);
    }

    /** Older clients select {@code count} as if it were a column. */
    private boolean isCount(SelectItem.Value value) {
      var field = value.field();
      return field != null
          && field.column().equals("count")
          && field.name().equals("count")
          && table.column("count") == null;
    }

    private void requireGrouped() {
      if (aggregated && computed != null) {
        throw RestFailure.unsupported(
            "'" + computed + "' is computed, and rows are grouped by columns alone",
            "Leave out the cast, the path, or the aggregates");
      }
    }

    private void aggregate(SelectItem.Value value) {
      var function = Objects.requireNonNull(value.function());
      var columns =
          value.field() == null
              ? List.<String>of()
              : List.of(table.requireColumn(requirePlain(value.field())).name());
      var slot = output(new Output.Aggregate(function, columns, false));
      aggregated = true;
      var name = function.name().toLowerCase(Locale.ROOT);
      if (value.cast() != null && !value.cast().equals("text")) {
        throw RestFailure.unsupported("The cast of " + name + "() is not supported", null);
      }
      member(
          alias(value.alias(), name),
          value.cast() == null ? new Node.Computed(slot) : new Node.Text(slot));
    }

    private static String requirePlain(FieldPath field) {
      if (!field.isColumn()) {
        throw RestFailure.unsupported(
            "Aggregates of what is inside of '" + field.column() + "' are not supported", null);
      }
      return field.column();
    }

    private void member(String name, Node node) {
      shape.member(name, node);
      members.add(new EmbedLevel.Member(name, node));
    }

    private void embed(SelectItem.Embed embed) {
      var at = path.isEmpty() ? embed.key() : path + "." + embed.key();
      var embedding = Embedding.find(model, table, embed);
      if (embed.spread()) {
        requireFlat(embed, embedding, at);
      }
      var target = model.table(embedding.last().to());
      var level =
          level(
              target,
              embed.items(),
              at,
              embed.spread() && embedding.single()
                  ? JsonShape.Builder.ofMembers()
                  : new JsonShape.Builder(),
              embedding.second());
      if (embed.spread()) {
        requireNoAggregates(embed, level);
      }
      var there = exists(embedding, level.select());
      embedded.put(embed.key(), new Embedded(embedding, there, level.select().where()));
      if (embed.inner()) {
        inner.add(there);
      }
      if (!level.members().isEmpty()) {
        show(embed, embedding, level);
      }
    }

    private Order order(OrderTerm term) {
      if (term.embed() == null) {
        return new Order(List.of(), value(table, term.field()), term.direction(), term.nulls());
      }
      var related = embedded.get(key(term.embed()));
      if (related == null) {
        throw EmbeddedClauses.notEmbedded(term.embed());
      }
      var embedding = related.embedding();
      if (!embedding.single()) {
        throw new RestFailure(
            400,
            ErrorCode.INVALID_OPERATION,
            "PGRST118",
            "A related order on '" + term.embed() + "' is not possible",
            "'%s' and '%s' do not form a many-to-one or one-to-one relationship"
                .formatted(table.name(), term.embed()),
            null);
      }
      var value = value(model.table(embedding.first().to()), term.field());
      var path = List.of(embedding.first());
      return new Order(path, value, related.where(), term.direction(), term.nulls());
    }

    private @Nullable Filter someOf(String name) {
      var related = embedded.get(key(name));
      return related == null ? null : related.exists();
    }

    /** Returns the key of the embedded resource of this name; the name itself if there is none. */
    private String key(String name) {
      var embed = SelectItem.embed(items, name);
      return embed == null ? name : embed.key();
    }

    private static Output.Value value(RestTable of, FieldPath field) {
      return field.of(of.requireColumn(field.column()));
    }

    /** A list spread among the members of another would yield lists of lists. */
    private void requireFlat(SelectItem.Embed embed, Embedding embedding, String at) {
      var inList = lists.contains(path);
      if (inList && !embedding.single()) {
        throw RestFailure.unsupported(
            "'%s' cannot be spread in '%s', as there are many rows of both"
                .formatted(embed.name(), path),
            "Leave out the three points before '" + embed.name() + "'");
      }
      if (inList || !embedding.single()) {
        lists.add(at);
      }
    }

    /** They would have to group the rows into which they are spread. */
    private static void requireNoAggregates(SelectItem.Embed embed, EmbedLevel level) {
      if (level.select().outputs().stream().anyMatch(ReadCompiler::isAggregate)) {
        throw RestFailure.unsupported(
            "Aggregates of '" + embed.name() + "' cannot be spread",
            "Leave out the three points before '" + embed.name() + "'");
      }
    }

    private void show(SelectItem.Embed embed, Embedding embedding, EmbedLevel level) {
      var slot = output(new Output.Nested(embedding.first(), level.select()));
      if (!embed.spread()) {
        var rows = level.shape().build();
        member(
            embed.key(), embedding.single() ? new Node.One(slot, rows) : new Node.Many(slot, rows));
      } else if (embedding.single()) {
        shape.spread(slot, level.shape());
        level.members().forEach(each -> members.add(each.spread(slot)));
      } else {
        var joined = embedding.second() != null;
        for (var each : level.members()) {
          var value = JsonShape.alone(each.whole());
          member(
              each.name(),
              new Node.Many(slot, joined ? JsonShape.alone(new Node.One(0, value)) : value));
        }
      }
    }
  }

  public ReadCompiler(RestModel model, Set<Capability> capabilities, ReadQuery request) {
    this.model = model;
    this.request = request;
    this.filters =
        new FilterCompiler(capabilities, new @Nullable ValueReader[request.values().size()]);
  }

  /**
   * Compiles the request.
   *
   * @throws RestFailure if it names an unknown object or requires an unsupported feature
   */
  public EmbedLevel compile(RestTable table) {
    var items = request.items();
    clauses = EmbeddedClauses.of(request, items);
    return level(table, items, ReadQuery.ROOT, new JsonShape.Builder(), null);
  }

  /**
   * Returns the keyset pagination of a compiled level; null where it is not available.
   *
   * @throws RestFailure if a cursor is given nevertheless
   */
  Keyset.@Nullable Paged paged(EmbedLevel level) {
    var root = request.root();
    var select = level.select();
    var paged =
        select.groupBy().isEmpty() && !isOneRow(select)
            ? Keyset.of(model, select, root, request.values().size())
            : null;
    if (paged == null && root.after() != ReadQuery.NONE) {
      throw RestFailure.malformed(
          "`after` requires the limit and order of the page that issued the cursor");
    }
    return paged;
  }

  /** Whether aggregates combine all rows into one. */
  public static boolean isOneRow(Select select) {
    return select.groupBy().isEmpty()
        && select.outputs().stream().anyMatch(ReadCompiler::isAggregate);
  }

  private static boolean isAggregate(Output output) {
    return output instanceof Output.Aggregate;
  }

  /** Returns the converters of values to arguments, by index; null for numbers. */
  public @Nullable ValueReader[] readers() {
    return filters.readers();
  }

  /**
   * @param joined from the table that joins to this one: all clauses then apply to its rows
   */
  private EmbedLevel level(
      RestTable table,
      List<SelectItem> items,
      String path,
      JsonShape.Builder shape,
      @Nullable Relationship joined) {
    var content = new Items(table, items, path, shape);
    items.forEach(content::add);
    content.requireGrouped();
    var clauses = this.clauses.get(path);
    var conditions = clauses == null ? List.<Condition>of() : clauses.conditions();
    var all = new ArrayList<>(content.inner);
    var own = filters.all(table, conditions, content::someOf);
    if (own != null) {
      all.add(own);
    }
    var select =
        Select.of(table.table().name(), content.outputs)
            .where(all.isEmpty() ? null : all.size() == 1 ? all.getFirst() : new Filter.And(all))
            .groupBy(content.aggregated ? content.plain : List.of());
    if (isOneRow(select)) {
      requireNoWindow(path, clauses);
    } else if (clauses != null) {
      select = select.orderBy(order(content, clauses)).limit(parameter(clauses.limit()));
      select = select.offset(parameter(clauses.offset()));
    }
    if (joined != null && content.aggregated) {
      throw RestFailure.unsupported(
          "Aggregates of '" + path + "' are not supported, as another table joins to it",
          "Aggregate over '" + joined.from().table() + "'");
    }
    return joined == null
        ? new EmbedLevel(select, shape, content.members)
        : through(new EmbedLevel(select, shape, content.members), joined);
  }

  /**
   * Limit and offset apply to the single aggregated row, whereas the engine would apply them to its
   * input rows. For the root, the writer applies them.
   */
  private static void requireNoWindow(String path, @Nullable Clauses clauses) {
    var windowed =
        clauses != null
            && (clauses.limit() != ReadQuery.NONE || clauses.offset() != ReadQuery.NONE);
    if (windowed && !path.equals(ReadQuery.ROOT)) {
      throw RestFailure.unsupported(
          "limit and offset of '" + path + "' are not supported, as its aggregates are one row",
          "Leave them out");
    }
  }

  /** Returns the same rows, addressed through those of the table that joins to them. */
  private static EmbedLevel through(EmbedLevel level, Relationship joined) {
    var target = level.select();
    var select =
        Select.of(
                joined.from(),
                List.of(new Output.Nested(joined, Select.of(target.from(), target.outputs()))))
            .where(target.where() == null ? null : new Filter.Exists(joined, target.where()))
            .orderBy(target.orderBy().stream().map(term -> through(term, joined)).toList())
            .limit(target.limit())
            .offset(target.offset());
    var node = new Node.One(0, level.shape().build());
    return new EmbedLevel(select, JsonShape.Builder.alone(node), level.members());
  }

  private static Order through(Order term, Relationship joined) {
    var path = new ArrayList<Relationship>(List.of(joined));
    path.addAll(term.path());
    return new Order(path, term.value(), term.where(), term.direction(), term.nulls());
  }

  private static Filter exists(Embedding embedding, Select select) {
    var where = select.where();
    return new Filter.Exists(embedding.first(), where == null ? new Filter.And(List.of()) : where);
  }

  private static @Nullable Parameter parameter(int index) {
    return index == ReadQuery.NONE ? null : new Parameter(index);
  }

  private static List<Order> order(Items content, Clauses clauses) {
    if (clauses.order() == null) {
      return List.of();
    }
    var order = new ArrayList<Order>();
    for (var term : OrderTerm.parse(clauses.order())) {
      order.add(content.order(term));
    }
    return order;
  }

  private static String alias(@Nullable String alias, String name) {
    return alias == null ? name : alias;
  }
}
