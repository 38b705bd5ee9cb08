// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc.messages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.api.DataType;
import dev.evita.api.Parameter;
import java.util.Objects;
import org.junit.jupiter.api.Test;

final class RequestValuesTest {

  private static RequestValues read(String value) {
    var values = new RequestValues();
    values.constant(7L);
    values.value(DataType.Scalar.TEXT, value, "name");
    return values;
  }

  /** A kept plan must not hold the first request's values, which may be long. */
  @Test
  void generalize_keepsConstantsOnly() {
    var values = read("first");
    assertThat(values.generalize(new Object[] {"first"})).isTrue();
    assertThat(values.values()).containsExactly(7L, null);

    var next = Objects.requireNonNull(values.arguments(new Object[] {"second"}));
    assertThat(next.get(new Parameter(0))).isEqualTo(7L);
    assertThat(next.get(new Parameter(1))).isEqualTo("second");
  }

  @Test
  void generalize_ofOtherValues_changesNothing() {
    var values = read("first");
    assertThat(values.generalize(new Object[] {"another"})).isFalse();
    assertThat(values.generalize(new Object[] {"first", "more"})).isFalse();
    assertThat(values.values()).containsExactly(7L, "first");
  }
}
