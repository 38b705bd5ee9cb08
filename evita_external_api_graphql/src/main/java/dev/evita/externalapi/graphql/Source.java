// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql;

import dev.evita.api.Arguments;
import dev.evita.api.Operation;
import dev.evita.api.Prepared;
import dev.evita.externalapi.core.Statements;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Where a step's rows come from: an operation whose shape is settled when the document is compiled,
 * or, where it depends on variables, made for each request.
 */
final class Source {

  private final Template template;
  private final Statements statements;
  private final int maxDepth;
  private final @Nullable Operation fixed;
  private final @Nullable BoundArguments fixedArguments;
  private volatile @Nullable Prepared fixedPrepared;

  /** A prepared operation with its arguments. */
  record Bound(Prepared prepared, Arguments arguments) {}

  /**
   * Settles what can be settled.
   *
   * @throws dev.evita.api.EvitaException {@code INVALID_VALUE}, {@code TOO_DEEP} for what is wrong
   *     whatever the variables are
   */
  Source(Template template, Statements statements, int maxDepth) {
    this.template = template;
    this.statements = statements;
    this.maxDepth = maxDepth;
    var builder = new OperationBuilder(null, maxDepth);
    Operation operation = null;
    try {
      operation = builder.build(template);
    } catch (NeedsValues e) {
      // settled per request
    }
    this.fixed = operation;
    this.fixedArguments = operation == null ? null : new BoundArguments(builder.arguments());
  }

  /**
   * The operation with these values of variables.
   *
   * @return null where the engine must be asked to prepare it and {@code mayPrepare} is false
   * @throws dev.evita.api.EvitaException {@code INVALID_VALUE}, {@code TOO_DEEP}, and as {@link
   *     Statements#prepare}
   */
  @Nullable Bound bind(Object[] values, boolean mayPrepare) {
    if (fixed != null && fixedArguments != null) {
      var arguments = fixedArguments.with(values);
      if (arguments != null) {
        var prepared = fixedPrepared;
        if (prepared == null) {
          prepared = prepared(fixed, mayPrepare);
          fixedPrepared = prepared;
        }
        return prepared == null ? null : new Bound(prepared, arguments);
      }
    }
    var builder = new OperationBuilder(values, maxDepth);
    var prepared = prepared(builder.build(template), mayPrepare);
    return prepared == null ? null : new Bound(prepared, Arguments.of(builder.arguments()));
  }

  /** The same where the engine may be asked. */
  Bound bind(Object[] values) {
    return Objects.requireNonNull(bind(values, true), "may be prepared");
  }

  /** The operation of a template that is used once. */
  static Bound bindOnce(Template template, Object[] values, Statements statements, int maxDepth) {
    var builder = new OperationBuilder(values, maxDepth);
    var prepared = statements.prepare(builder.build(template));
    return new Bound(prepared, Arguments.of(builder.arguments()));
  }

  private @Nullable Prepared prepared(Operation operation, boolean mayPrepare) {
    return mayPrepare ? statements.prepare(operation) : statements.ifPresent(operation);
  }
}
