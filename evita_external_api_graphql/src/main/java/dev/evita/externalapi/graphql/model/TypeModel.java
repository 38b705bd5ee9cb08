// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.model;

import dev.evita.api.DataType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The scalars of a schema and the inputs that compare them. Unchanged once the model is built. */
public final class TypeModel {

  private final Map<DataType, String> scalarNames = new LinkedHashMap<>();
  private final Map<String, DataType> scalars = new LinkedHashMap<>();
  private final Map<DataType, String> comparisons = new LinkedHashMap<>();

  /** Reserves the names of the types that all databases share, whether they occur or not. */
  static TypeModel claim(GraphQlNames types) {
    var model = new TypeModel();
    for (var scalar : DataType.Scalar.values()) {
      model.name(scalar, types.claim(ScalarName.of(scalar)));
    }
    for (var scalar : DataType.Scalar.values()) {
      types.claim(ScalarName.of(scalar) + "_comparison_exp");
    }
    return model;
  }

  private void name(DataType type, String name) {
    scalarNames.put(type, name);
    scalars.put(name, type);
  }

  /** Ensures that the type has a name. */
  void see(GraphQlNames types, DataType type) {
    switch (type) {
      case DataType.Scalar known -> {}
      case DataType.Array(var element) -> see(types, element);
      case DataType.Enumeration enumeration -> nameOwn(types, type, enumeration.name());
      case DataType.Other other -> nameOwn(types, type, other.name());
    }
  }

  private void nameOwn(GraphQlNames types, DataType type, String wanted) {
    if (!scalarNames.containsKey(type)) {
      name(type, types.claim(wanted));
    }
  }

  /** Ensures that the input that compares the type has a name. */
  void compare(GraphQlNames types, DataType type) {
    if (comparisons.containsKey(type)) {
      return;
    }
    comparisons.put(
        type,
        type instanceof DataType.Scalar scalar
            ? ScalarName.of(scalar) + "_comparison_exp"
            : types.claim(stem(type) + "_comparison_exp"));
  }

  private String stem(DataType type) {
    return type instanceof DataType.Array(var element)
        ? stem(element) + "_array"
        : scalarName(type);
  }

  /** Returns the scalar's name; not for arrays. */
  public String scalarName(DataType type) {
    var name = scalarNames.get(type);
    if (name == null) {
      throw new IllegalArgumentException("no scalar for " + type);
    }
    return name;
  }

  /** Returns the type that a scalar of this name represents. */
  public @Nullable DataType scalar(String name) {
    return scalars.get(name);
  }

  /** Scalars that GraphQL does not define itself. */
  public List<String> ownScalars() {
    var names = new ArrayList<String>();
    for (var name : scalars.keySet()) {
      if (!ScalarName.builtIn(name)) {
        names.add(name);
      }
    }
    return names;
  }

  /** The types that can be compared, with the names of their comparison inputs. */
  public Map<DataType, String> comparisons() {
    return comparisons;
  }

  public String comparison(DataType type) {
    var name = comparisons.get(type);
    if (name == null) {
      throw new IllegalArgumentException("no comparison of " + type);
    }
    return name;
  }
}
