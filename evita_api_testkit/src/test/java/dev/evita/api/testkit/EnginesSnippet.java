// SPDX-License-Identifier: Apache-2.0
package dev.evita.api.testkit;

import dev.evita.api.DataType;
import dev.evita.api.Engine;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The code of docs/engines.md, compiled. */
final class EnginesSnippet {

  private EnginesSnippet() {}

  /** Represents the reader's engine. */
  record MyEngine(Map<String, Engine> opened) {
    static Engine open(String url) {
      return Objects.requireNonNull(new MyEngine(Map.of()).opened().get(url), url);
    }
  }

  static final class MyEngineIT extends SqlEngineTest {

    @Override
    protected Engine open() {
      return MyEngine.open("memory:" + UUID.randomUUID());
    }

    @Override
    public @Nullable String typeName(DataType type) {
      return switch (type) {
        case DataType.Scalar scalar ->
            switch (scalar) {
              case BOOLEAN -> "boolean";
              case INT16 -> "smallint";
              case INT32 -> "integer";
              case INT64 -> "bigint";
              case DECIMAL -> "decimal(38, 10)";
              case FLOAT64 -> "double precision";
              case TEXT -> "varchar";
              case BINARY -> "varbinary";
              case DATE -> "date";
              case TIME -> "time";
              case TIMESTAMP -> "timestamp";
              case TIMESTAMP_TZ -> "timestamp with time zone";
              case FLOAT32, TIME_TZ, INTERVAL, UUID, JSON -> null;
            };
        case DataType.Array array -> null;
        case DataType.Enumeration enumeration -> null;
        case DataType.Other other -> null;
      };
    }

    @Override
    public boolean has(EngineBehavior behavior) {
      return switch (behavior) {
        case ARRAYS, ENUMERATIONS, WATCH -> false;
        default -> true;
      };
    }
  }
}
