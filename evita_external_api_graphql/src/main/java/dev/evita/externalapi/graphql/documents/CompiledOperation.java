// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.documents;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.live.ValuePath;
import dev.evita.externalapi.graphql.input.AbsentValue;
import dev.evita.externalapi.graphql.input.FieldCollector;
import dev.evita.externalapi.graphql.input.Inputs;
import dev.evita.externalapi.graphql.input.VariableRef;
import dev.evita.externalapi.graphql.mutations.MutationCompiler;
import dev.evita.externalapi.graphql.plan.OperationVariant;
import dev.evita.externalapi.graphql.queries.OperationCompiler;
import dev.evita.externalapi.graphql.request.RequestError;
import dev.evita.externalapi.graphql.schema.GraphQlSchema;
import graphql.language.Directive;
import graphql.language.DirectivesContainer;
import graphql.language.Document;
import graphql.language.FragmentDefinition;
import graphql.language.ListType;
import graphql.language.Node;
import graphql.language.NonNullType;
import graphql.language.NullValue;
import graphql.language.OperationDefinition;
import graphql.language.SourceLocation;
import graphql.language.Type;
import graphql.language.TypeName;
import graphql.language.VariableDefinition;
import graphql.language.VariableReference;
import graphql.schema.GraphQLList;
import graphql.schema.GraphQLNonNull;
import graphql.schema.GraphQLSchema;
import graphql.schema.GraphQLType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * An operation of a valid document: coerces its variables, and is compiled for each outcome of its
 * {@code @skip} and {@code @include} when that first occurs. Thread-safe.
 */
final class CompiledOperation {

  private static final Object[] NO_VALUES = {};
  private static final int MOST_CONDITIONS = 62;

  /** A declared variable; the default is {@link AbsentValue} where there is none. */
  private record Variable(
      String name,
      GraphQLType type,
      @Nullable Object byDefault,
      ValuePath trail,
      @Nullable SourceLocation at) {}

  private final GraphQlSchema api;
  private final OperationDefinition definition;
  private final int mostVariants;
  private final Map<String, FragmentDefinition> fragments = new HashMap<>();
  private final List<Variable> variables = new ArrayList<>();
  private final Map<String, VariableRef> references = new LinkedHashMap<>();
  private final List<VariableRef> conditions = new ArrayList<>();
  private final Map<Long, OperationVariant> variants = new ConcurrentHashMap<>();
  private volatile @Nullable OperationVariant only;

  /**
   * @param mostVariants how many outcomes are kept
   */
  CompiledOperation(
      GraphQlSchema api, Document document, OperationDefinition definition, int mostVariants) {
    this.api = api;
    this.mostVariants = mostVariants;
    this.definition = definition;
    for (var fragment : document.getDefinitionsOfType(FragmentDefinition.class)) {
      fragments.put(fragment.getName(), fragment);
    }
    definition.getVariableDefinitions().forEach(this::declare);
    collectConditions();
  }

  private void declare(VariableDefinition variable) {
    var name = variable.getName();
    var type = type(api.schema(), variable.getType());
    var trail = ValuePath.of("$" + name);
    var literal = variable.getDefaultValue();
    var defaultJson =
        literal == null || literal instanceof NullValue ? null : Inputs.constant(literal, trail);
    references.put(name, new VariableRef(variables.size(), name, defaultJson));
    variables.add(
        new Variable(
            name,
            type,
            literal == null
                ? AbsentValue.VALUE
                : api.inputs().fromLiteral(type, literal, Map.of(), trail),
            trail,
            variable.getSourceLocation()));
  }

  private void collectConditions() {
    var names = new LinkedHashSet<String>();
    collectConditions(definition, names);
    fragments.values().forEach(fragment -> collectConditions(fragment, names));
    for (var name : names) {
      var reference = references.get(name);
      if (reference != null) {
        conditions.add(reference);
      }
    }
    if (conditions.size() > MOST_CONDITIONS) {
      throw new EvitaException(
          ErrorCode.INVALID_DOCUMENT,
          "@skip and @include depend on more than " + MOST_CONDITIONS + " variables");
    }
  }

  private static GraphQLType type(GraphQLSchema schema, Type<?> type) {
    return switch (type) {
      case NonNullType nonNull -> GraphQLNonNull.nonNull(type(schema, nonNull.getType()));
      case ListType list -> GraphQLList.list(type(schema, list.getType()));
      case TypeName name -> Objects.requireNonNull(schema.getType(name.getName()));
      default -> throw new IllegalStateException("no type: " + type);
    };
  }

  private static void collectConditions(Node<?> node, Set<String> into) {
    if (node instanceof DirectivesContainer<?> container) {
      for (Directive directive : container.getDirectives()) {
        var argument = directive.getArgument("if");
        if (argument != null && argument.getValue() instanceof VariableReference variable) {
          into.add(variable.getName());
        }
      }
    }
    for (Node<?> child : node.getChildren()) {
      collectConditions(child, into);
    }
  }

  /**
   * The variables' values, by index: coerced, defaulted, or {@link AbsentValue} (GraphQL, section
   * 6.1.2); behind them the variables as they were given.
   *
   * @throws RequestError {@code INVALID_VALUE}, naming the variable, where it is declared, and the
   *     way into it
   */
  Object[] values(Map<String, @Nullable Object> given) {
    if (variables.isEmpty()) {
      return NO_VALUES;
    }
    var values = new Object[variables.size() + 1];
    values[variables.size()] = given;
    for (int i = 0; i < variables.size(); i++) {
      var variable = variables.get(i);
      try {
        values[i] = value(variable, given);
      } catch (EvitaException e) {
        throw RequestError.at(e, variable.at(), List.of());
      }
    }
    return values;
  }

  private @Nullable Object value(Variable variable, Map<String, @Nullable Object> given) {
    var json = given.get(variable.name());
    return json == null && !given.containsKey(variable.name())
        ? absent(variable)
        : api.inputs().fromJson(variable.type(), json, variable.trail());
  }

  private static @Nullable Object absent(Variable variable) {
    if (variable.byDefault() instanceof AbsentValue && variable.type() instanceof GraphQLNonNull) {
      throw Inputs.invalid(variable.trail(), "a value is needed and was not given");
    }
    return variable.byDefault();
  }

  /** Whether it is a mutation. */
  boolean mutates() {
    return definition.getOperation() == OperationDefinition.Operation.MUTATION;
  }

  /** The compiled form for these values; null if it is not there yet. */
  @Nullable OperationVariant known(Object[] values) {
    return conditions.isEmpty() ? only : variants.get(outcome(values));
  }

  /**
   * The compiled form for these values.
   *
   * @throws EvitaException {@code INVALID_VALUE}, {@code INVALID_DOCUMENT}, {@code TOO_DEEP}
   */
  OperationVariant variant(Object[] values) {
    var known = known(values);
    if (known != null) {
      return known;
    }
    var outcomes = new HashMap<String, Boolean>();
    for (var condition : conditions) {
      outcomes.put(condition.name(), isTrue(condition, values));
    }
    var collector = new FieldCollector(fragments, outcomes, api.limits());
    var compiled =
        mutates()
            ? new MutationCompiler(api, definition, collector, references).compile()
            : new OperationCompiler(api, definition, collector, references).compile();
    if (conditions.isEmpty()) {
      only = compiled;
    } else if (variants.size() < mostVariants) {
      variants.put(outcome(values), compiled);
    }
    return compiled;
  }

  private long outcome(Object[] values) {
    var outcome = 0L;
    for (int i = 0; i < conditions.size(); i++) {
      if (isTrue(conditions.get(i), values)) {
        outcome |= 1L << i;
      }
    }
    return outcome;
  }

  private static boolean isTrue(VariableRef condition, Object[] values) {
    var value = values[condition.index()];
    if (value instanceof Boolean bool) {
      return bool;
    }
    throw Inputs.invalid(
        ValuePath.of("$" + condition.name()), "null is not valid in @skip or @include");
  }
}
