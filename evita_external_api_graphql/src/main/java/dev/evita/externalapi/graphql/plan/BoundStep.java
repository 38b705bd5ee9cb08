// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.plan;

import dev.evita.api.EvitaException;
import dev.evita.externalapi.graphql.schema.IntrospectionField;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A step of a query with all that its run needs. */
sealed interface BoundStep {

  QueryStep<QuerySource> step();

  /** The cost of its operation, as {@link dev.evita.externalapi.core.limits.Cost} estimates it. */
  double cost();

  /** Whether it surely ends soon on the calling thread. */
  boolean bounded();

  /** A step that runs an operation of the engine. */
  sealed interface Reading extends BoundStep {

    RowSource.Bound bound();

    @Override
    default double cost() {
      return bound().cost();
    }

    @Override
    default boolean bounded() {
      return bound().prepared().bounded(bound().arguments());
    }
  }

  /** Rows, or one object or null. */
  record Rows(QueryStep<QuerySource> step, QuerySource.Rows source, RowSource.Bound bound)
      implements Reading {}

  /** A page of a connection. */
  record Page(
      QueryStep<QuerySource> step,
      ConnectionShape shape,
      RowSource.Bound bound,
      ConnectionPaging paging)
      implements Reading {}

  /** A further part of the page that was read last. */
  record PagePart(QueryStep<QuerySource> step, int part) implements BoundStep {
    @Override
    public double cost() {
      return 0;
    }

    @Override
    public boolean bounded() {
      return true;
    }
  }

  /** A field of introspection. */
  record Schema(QueryStep<QuerySource> step, IntrospectionField field) implements BoundStep {
    @Override
    public double cost() {
      return 0;
    }

    @Override
    public boolean bounded() {
      return field.ready();
    }
  }

  /**
   * Binds a step to these values of variables.
   *
   * @return null where the engine must be asked to prepare it and {@code mayPrepare} is false
   * @throws dev.evita.externalapi.graphql.request.RequestError as {@link RowSource#bind} fails
   */
  static @Nullable BoundStep of(QueryStep<QuerySource> step, Object[] values, boolean mayPrepare) {
    try {
      return switch (step.source()) {
        case QuerySource.Rows rows -> {
          var bound = rows.operation().bind(values, mayPrepare);
          yield bound == null ? null : new Rows(step, rows, bound);
        }
        case QuerySource.Page(var shape, var operation) -> {
          var bound = operation.bind(values, mayPrepare);
          yield bound == null
              ? null
              : new Page(step, shape, bound, Objects.requireNonNull(bound.paging()));
        }
        case QuerySource.PagePart(var part) -> new PagePart(step, part);
        case QuerySource.Schema(var field) -> new Schema(step, field);
      };
    } catch (EvitaException e) {
      throw step.position().refusal(e);
    }
  }
}
