// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evita.externalapi.rest.model.RestFailure;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class PreferencesTest {

  @Test
  void parse_noHeader_hasDefaults() {
    var preferences = Preferences.parse(null);
    assertThat(preferences.returned()).isEqualTo(Preferences.Return.MINIMAL);
    assertThat(preferences.count()).isFalse();
    assertThat(preferences.rollback()).isFalse();
    assertThat(preferences.snapshot()).isTrue();
    assertThat(preferences.resolution()).isNull();
    assertThat(preferences.applied()).isEmpty();
    assertThat(preferences.appliedToReads()).isNull();
  }

  @Test
  void parse_severalPreferences_areAppliedInOrder() {
    var preferences =
        Preferences.parse("return=representation, count=planned,resolution=merge-duplicates");
    assertThat(preferences.returned()).isEqualTo(Preferences.Return.REPRESENTATION);
    assertThat(preferences.count()).isTrue();
    assertThat(preferences.resolution()).isEqualTo(Preferences.Resolution.MERGE);
    assertThat(preferences.applied())
        .containsExactly("return=representation", "count=exact", "resolution=merge-duplicates");
    assertThat(preferences.appliedToReads()).isEqualTo("count=exact");
  }

  @ParameterizedTest
  @CsvSource({
    "max-affected=3, 9223372036854775807, 0",
    "'handling=strict, max-affected=3', 3, 2",
    "'max-affected=3, handling=lenient', 9223372036854775807, 1",
  })
  void parse_maxAffected_appliesIfStrict(String header, long limit, int applied) {
    var preferences = Preferences.parse(header);
    assertThat(preferences.maxAffected()).isEqualTo(limit);
    assertThat(preferences.applied()).hasSize(applied);
  }

  @ParameterizedTest
  @ValueSource(strings = {"colour=red", "max-affected=many", "max-affected=-1", "return=all"})
  void parse_unknownPreference_isRejectedIfStrict(String preference) {
    assertThat(Preferences.parse(preference).applied()).isEmpty();
    assertThatThrownBy(() -> Preferences.parse("handling=strict, " + preference))
        .isInstanceOf(RestFailure.class);
  }

  @Test
  void representing_keepsTheOtherPreferences() {
    var preferences = Preferences.parse("tx=rollback, return=minimal").representing();
    assertThat(preferences.returned()).isEqualTo(Preferences.Return.REPRESENTATION);
    assertThat(preferences.rollback()).isTrue();
  }
}
