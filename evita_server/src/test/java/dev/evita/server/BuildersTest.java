// SPDX-License-Identifier: Apache-2.0
package dev.evita.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.engine.jdbc.JdbcOptions;
import dev.evita.externalapi.core.ServerOptions;
import dev.evita.externalapi.core.limits.Limits;
import dev.evita.externalapi.core.live.FeedOptions;
import dev.evita.externalapi.core.tls.TlsOptions;
import dev.evita.externalapi.core.web.CompressionOptions;
import dev.evita.externalapi.core.web.CorsOptions;
import dev.evita.externalapi.graphql.GraphQlLimits;
import dev.evita.externalapi.graphql.GraphQlOptions;
import dev.evita.externalapi.graphql.SubscriptionOptions;
import dev.evita.externalapi.grpc.GrpcOptions;
import dev.evita.externalapi.rest.RestOptions;
import dev.evita.externalapi.sql.SqlOptions;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every key of the configuration file can be set in code, by its name and with its default. */
final class BuildersTest {

  /** Keys of the command line alone: the database itself, and a script run before the start. */
  private static final Set<String> NOT_IN_CODE = Set.of("db", "init");

  static Stream<Record> defaults() {
    return Stream.of(
        ServerOptions.DEFAULT,
        Limits.DEFAULT,
        FeedOptions.DEFAULT,
        CorsOptions.NONE,
        CompressionOptions.NONE,
        TlsOptions.NONE,
        GraphQlOptions.DEFAULT,
        GraphQlLimits.DEFAULT,
        SubscriptionOptions.DEFAULT,
        RestOptions.DEFAULT,
        SqlOptions.DEFAULT,
        GrpcOptions.DEFAULT,
        JdbcOptions.DEFAULT);
  }

  private static Object builder(Record options) throws ReflectiveOperationException {
    return options.getClass().getMethod("builder").invoke(null);
  }

  private static Method setter(Record options, String name) throws ReflectiveOperationException {
    return Arrays.stream(builder(options).getClass().getMethods())
        .filter(method -> method.getName().equals(name) && method.getParameterCount() == 1)
        .findFirst()
        .orElseThrow(() -> new NoSuchMethodException(options.getClass() + ": " + name));
  }

  @ParameterizedTest
  @MethodSource("defaults")
  void builder_withoutSettings_hasTheDefaults(Record options) throws Exception {
    var builder = builder(options);
    assertThat(builder.getClass().getMethod("build").invoke(builder)).isEqualTo(options);
  }

  @ParameterizedTest
  @MethodSource("defaults")
  void builder_eachComponent_isSetByItsName(Record options) throws Exception {
    for (var component : options.getClass().getRecordComponents()) {
      var setter = setter(options, component.getName());
      assertThat(setter.getParameterTypes()[0])
          .as("%s of %s", component.getName(), options.getClass().getSimpleName())
          .isEqualTo(component.getType());
      var builder = builder(options);
      var value = component.getAccessor().invoke(options);
      assertThat(setter.invoke(builder, value)).isSameAs(builder);
      assertThat(builder.getClass().getMethod("build").invoke(builder)).isEqualTo(options);
    }
  }

  @Test
  void keys_all_areComponentsOfOptions() {
    var names = new TreeSet<String>();
    defaults()
        .forEach(options -> {
          for (var component : options.getClass().getRecordComponents()) {
            names.add(
                component
                    .getName()
                    .replaceAll("(?<=[a-z0-9])(?=[A-Z])", "-")
                    .toLowerCase(Locale.ROOT));
          }
        });
    List<String> missing = new ArrayList<>();
    for (var key : new ConfigurationKeys(Configuration.DEFAULT).all()) {
      if (!names.contains(key.name()) && !NOT_IN_CODE.contains(key.name())) {
        missing.add(key.name());
      }
    }
    assertThat(missing).isEmpty();
  }
}
