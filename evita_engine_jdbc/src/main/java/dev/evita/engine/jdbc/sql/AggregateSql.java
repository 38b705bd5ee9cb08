// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.sql;

import dev.evita.api.DataType;
import dev.evita.api.EvitaException;
import dev.evita.api.Output;
import dev.evita.api.Table;
import dev.evita.engine.jdbc.dialect.Columns;
import dev.evita.engine.jdbc.dialect.Dialect;
import dev.evita.engine.jdbc.dialect.JdbcErrors;
import dev.evita.engine.jdbc.dialect.Sql;
import dev.evita.engine.jdbc.value.Codec;
import java.util.List;
import org.jooq.Field;
import org.jooq.impl.DSL;

/** Renders aggregates over the rows of a table. */
record AggregateSql(Dialect dialect) {

  /**
   * Checks the rules that types do not enforce.
   *
   * @throws EvitaException {@code UNKNOWN_COLUMN}, {@code INVALID_OPERATION}
   */
  static void check(Table table, Output.Aggregate aggregate) {
    aggregate.columns().forEach(column -> Columns.named(table, column));
    if (aggregate.function() == Output.Function.COUNT) {
      return;
    }
    if (aggregate.columns().size() != 1) {
      throw JdbcErrors.invalid(
          aggregate.function() + " of " + aggregate.columns().size() + " columns; expected one");
    }
    var column = Columns.named(table, aggregate.columns().getFirst());
    if ((aggregate.function() == Output.Function.SUM || aggregate.function() == Output.Function.AVG)
        && !Columns.isNumber(column.type())) {
      throw JdbcErrors.invalid(
          "%s of '%s', which is not a number".formatted(aggregate.function(), column.name()));
    }
  }

  /** Returns the codec of the aggregate's values. */
  Codec codec(Table table, Output.Aggregate aggregate) {
    DataType argument = null;
    var nativeType = "";
    for (var name : aggregate.columns()) {
      var column = Columns.named(table, name);
      argument = column.type();
      nativeType = column.nativeType();
    }
    var type = dialect.aggregates().aggregateType(aggregate.function(), argument);
    var where = aggregate.function() + " of " + table.name();
    return dialect.values().codec(type, type.equals(argument) ? nativeType : "", where);
  }

  /** Renders the aggregate as its codec reads it. */
  Field<Object> selected(Table table, String source, Output.Aggregate aggregate) {
    if (aggregate.columns().isEmpty()) {
      return DSL.field("count(*)", Object.class);
    }
    var columns = columns(table, source, aggregate);
    if (columns.size() > 1) {
      return dialect.aggregates().countOfCombinations(columns, aggregate.distinct());
    }
    return dialect
        .aggregates()
        .aggregate(
            aggregate.function(), aggregate.distinct(), columns.getFirst(), type(table, aggregate));
  }

  /** Renders the aggregate as a value to compare with and to order by. */
  Field<Object> compared(Table table, String source, Output.Aggregate aggregate) {
    if (aggregate.columns().size() != 1) {
      return selected(table, source, aggregate);
    }
    var column = columns(table, source, aggregate).getFirst();
    return dialect
        .aggregates()
        .comparedAggregate(
            aggregate.function(), aggregate.distinct(), column, type(table, aggregate));
  }

  private static DataType type(Table table, Output.Aggregate aggregate) {
    return Columns.named(table, aggregate.columns().getFirst()).type();
  }

  private List<Field<Object>> columns(Table table, String source, Output.Aggregate aggregate) {
    return aggregate.columns().stream()
        .map(name -> {
          var column = Sql.column(source, name);
          var declared = Columns.named(table, name);
          return aggregate.distinct()
              ? dialect
                  .values()
                  .compared(
                      column, dialect.values().codec(declared.type(), declared.nativeType(), name))
              : column;
        })
        .toList();
  }
}
