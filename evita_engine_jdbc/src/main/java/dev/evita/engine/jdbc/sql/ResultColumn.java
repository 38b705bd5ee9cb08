// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.sql;

import dev.evita.api.DataType;
import dev.evita.api.Output;
import dev.evita.api.Relationship;
import dev.evita.engine.jdbc.dialect.Dialect;
import dev.evita.engine.jdbc.value.Codec;
import java.util.Locale;
import java.util.stream.Collectors;

/** A column of a level's statement. */
sealed interface ResultColumn {

  Codec codec();

  /** What a slot of it is called. */
  String name();

  /**
   * A column of a table.
   *
   * @param source which of the statement's tables; likewise below
   */
  record Plain(FromTable source, String column, Codec codec) implements ResultColumn {
    @Override
    public String name() {
      return column;
    }
  }

  /** A value made of a column of a table. */
  record Made(FromTable source, Output output, Codec codec) implements ResultColumn {
    @Override
    public String name() {
      return "value";
    }
  }

  /** A value of another table, reached from one of the statement's. */
  record Reached(FromTable source, Output.Related related, Codec codec) implements ResultColumn {
    @Override
    public String name() {
      var relationships = related.path().stream().map(Relationship::name);
      return relationships.collect(Collectors.joining("."));
    }
  }

  /** An aggregate over rows of the level's table. */
  record Aggregated(Output.Aggregate aggregate, Codec codec) implements ResultColumn {
    @Override
    public String name() {
      return aggregate.function().name().toLowerCase(Locale.ROOT);
    }
  }

  /** The number of the parent's key. */
  record Numbered(Codec codec) implements ResultColumn {

    /** The column of this. */
    static Numbered of(Dialect dialect) {
      return new Numbered(dialect.values().codec(DataType.Scalar.INT64, "", SelectSql.PARENT));
    }

    @Override
    public String name() {
      return SelectSql.PARENT;
    }
  }
}
