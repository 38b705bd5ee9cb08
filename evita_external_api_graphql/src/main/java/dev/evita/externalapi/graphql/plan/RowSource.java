// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.plan;

import dev.evita.api.Arguments;
import dev.evita.api.KeyValues;
import dev.evita.api.Operation;
import dev.evita.api.Prepared;
import dev.evita.api.Select;
import dev.evita.externalapi.core.limits.Cost;
import dev.evita.externalapi.core.limits.DepthLimit;
import dev.evita.externalapi.core.work.Statements;
import dev.evita.externalapi.graphql.input.BoundArguments;
import dev.evita.externalapi.graphql.schema.GraphQlSchema;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The source of a step's rows: an operation whose shape is fixed when the document is compiled, or,
 * if it depends on variables, is built for each request.
 */
public final class RowSource {

  private final OperationTemplate template;
  private final Statements statements;
  private final DepthLimit nesting;
  private final int estimatedRows;
  private final @Nullable Operation fixed;
  private final @Nullable Cost fixedCost;
  private final @Nullable BoundArguments fixedArguments;
  private final @Nullable ConnectionPaging fixedPaging;
  private volatile @Nullable Prepared fixedPrepared;

  /** The bound operation, if it is prepared and depends on no variable. */
  private volatile @Nullable Bound constant;

  /**
   * A prepared operation with its arguments.
   *
   * @param cost as {@link Cost} estimates it
   * @param paging of a connection's page; else null
   */
  public record Bound(
      Operation operation,
      Prepared prepared,
      Arguments arguments,
      double cost,
      @Nullable ConnectionPaging paging) {}

  /**
   * Resolves the shape as far as possible at compile time.
   *
   * @throws dev.evita.api.EvitaException {@code INVALID_VALUE}, {@code TOO_DEEP} for errors that do
   *     not depend on the variables
   */
  public RowSource(OperationTemplate template, GraphQlSchema api) {
    this.template = template;
    this.statements = api.statements();
    this.nesting = api.depthLimit();
    this.estimatedRows = api.estimatedRows();
    var builder = new OperationBuilder(null, nesting);
    Operation operation = null;
    try {
      operation = builder.build(template);
    } catch (ValueDependentShape e) {
      // resolved per request
    }
    this.fixed = operation;
    this.fixedCost = operation == null ? null : cost(operation);
    this.fixedArguments = operation == null ? null : new BoundArguments(builder.arguments());
    this.fixedPaging = builder.paging();
  }

  /**
   * Returns the operation with these values of variables.
   *
   * @return null if the engine must prepare it and {@code mayPrepare} is false
   * @throws dev.evita.api.EvitaException {@code INVALID_VALUE}, {@code TOO_DEEP}, and as {@link
   *     Statements#prepare}
   */
  public @Nullable Bound bind(Object[] values, boolean mayPrepare) {
    if (constant != null) {
      return constant;
    }
    if (fixed != null && fixedArguments != null && fixedCost != null) {
      var arguments = fixedArguments.with(values);
      if (arguments != null) {
        var prepared = fixedPrepared;
        if (prepared == null) {
          prepared = prepared(fixed, mayPrepare);
          fixedPrepared = prepared;
        }
        if (prepared == null) {
          return null;
        }
        var bound = new Bound(fixed, prepared, arguments, fixedCost.with(arguments), fixedPaging);
        if (fixedArguments.isConstant()) {
          constant = bound;
        }
        return bound;
      }
    }
    var builder = new OperationBuilder(values, nesting);
    var operation = builder.build(template);
    var prepared = prepared(operation, mayPrepare);
    if (prepared == null) {
      return null;
    }
    var arguments = Arguments.of(builder.arguments());
    return new Bound(
        operation, prepared, arguments, cost(operation).with(arguments), builder.paging());
  }

  /** Returns the operation; may call the engine. */
  public Bound bind(Object[] values) {
    return Objects.requireNonNull(bind(values, true), "may be prepared");
  }

  /** Returns the operation of a template that is used once. */
  public static Bound bindOnce(OperationTemplate template, Object[] values, GraphQlSchema api) {
    var builder = new OperationBuilder(values, api.depthLimit());
    var operation = builder.build(template);
    var prepared = api.statements().prepare(operation);
    var arguments = Arguments.of(builder.arguments());
    var cost = cost(template, operation, api.estimatedRows());
    return new Bound(operation, prepared, arguments, cost.with(arguments), builder.paging());
  }

  /**
   * Returns the key of the only row of its table that this select, which was bound here, can read.
   */
  Optional<KeyValues> key(Select select, Arguments arguments) {
    return template instanceof OperationTemplate.OfSelect of
        ? KeyValues.required(of.table().table(), select.where(), arguments)
        : Optional.empty();
  }

  private Cost cost(Operation operation) {
    return cost(template, operation, estimatedRows);
  }

  private static Cost cost(OperationTemplate template, Operation operation, int estimatedRows) {
    var single =
        switch (template) {
          case OperationTemplate.OfSelect select -> !select.keys().isEmpty();
          case OperationTemplate.OfPage page -> false;
          case OperationTemplate.OfCall call -> !call.routine().returnsMany();
          case OperationTemplate.OfUpdate update ->
              update.rows() instanceof OperationTemplate.RowChoice.ByKey;
          case OperationTemplate.OfDelete delete ->
              delete.rows() instanceof OperationTemplate.RowChoice.ByKey;
        };
    return Cost.of(operation, single, estimatedRows);
  }

  private @Nullable Prepared prepared(Operation operation, boolean mayPrepare) {
    return mayPrepare ? statements.prepare(operation) : statements.ifPresent(operation);
  }
}
