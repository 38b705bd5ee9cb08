// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.h2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import dev.evita.api.Capability;
import dev.evita.api.DataType;
import dev.evita.api.Engine;
import dev.evita.api.testkit.DenyingEngine;
import dev.evita.api.testkit.EngineBehavior;
import dev.evita.api.testkit.EngineFixture;
import dev.evita.api.testkit.SqlEngineTest;
import dev.evita.engine.jdbc.JdbcEngine;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** No test of the kit needs a behavior that the author of an engine denies. */
final class DeniedBehaviorsIT {

  /** Properties of H2 itself, which cannot be taken from it. */
  private static final Set<EngineBehavior> INHERENT =
      EnumSet.of(
          EngineBehavior.CASE_SENSITIVE_NAMES,
          EngineBehavior.EXACT_DECIMAL,
          EngineBehavior.NOT_A_NUMBER,
          EngineBehavior.CONCURRENT_TRANSACTIONS,
          EngineBehavior.CONCURRENT_READS,
          EngineBehavior.CANCEL,
          EngineBehavior.ARITHMETIC_ERRORS);

  /** The behavior that is denied, or claimed though the engine lacks it. */
  private static volatile @Nullable EngineBehavior denied;

  private static volatile @Nullable Capability lacking;

  /** Runs the suite over an H2 from which one capability is taken; only within this test. */
  static final class Suite extends SqlEngineTest {

    @Override
    protected Engine open() {
      return new DenyingEngine(JdbcEngine.open("jdbc:h2:mem:"), lacking);
    }

    @Override
    protected EngineFixture fixture(Engine engine) {
      return super.fixture(((DenyingEngine) engine).engine());
    }

    @Override
    public boolean has(EngineBehavior behavior) {
      return behavior != denied && H2Types.has(behavior);
    }

    @Override
    public @Nullable String typeName(DataType type) {
      return H2Types.name(type);
    }

    @Override
    public List<String> routineDefinitions() {
      return H2Aliases.definitions();
    }

    @Override
    public int fractionDigits() {
      return 9;
    }
  }

  private static @Nullable Capability capability(EngineBehavior behavior) {
    return Arrays.stream(Capability.values())
        .filter(capability -> capability.name().equals(behavior.name()))
        .findFirst()
        .orElse(null);
  }

  private static TestExecutionSummary run(DiscoverySelector tests) {
    var listener = new SummaryGeneratingListener();
    var request = LauncherDiscoveryRequestBuilder.request().selectors(tests).build();
    var config =
        LauncherConfig.builder()
            .enableTestExecutionListenerAutoRegistration(false)
            .enablePostDiscoveryFilterAutoRegistration(false)
            .enableLauncherSessionListenerAutoRegistration(false)
            .build();
    LauncherFactory.create(config).execute(request, listener);
    return listener.getSummary();
  }

  private static String text(TestExecutionSummary summary) {
    var text = new StringWriter();
    summary.printFailuresTo(new PrintWriter(text), 5);
    return text.toString();
  }

  static Stream<EngineBehavior> deniable() {
    return Arrays.stream(EngineBehavior.values())
        .filter(H2Types::has)
        .filter(behavior -> !INHERENT.contains(behavior));
  }

  @ParameterizedTest
  @MethodSource("deniable")
  @Tag("long")
  void deniedBehavior_isNeededByNoTest(EngineBehavior behavior) {
    denied = behavior;
    lacking = capability(behavior);
    var summary = run(selectClass(Suite.class));
    assertThat(summary.getTotalFailureCount()).as(text(summary)).isZero();
    assertThat(summary.getTestsSkippedCount() + summary.getTestsAbortedCount()).isZero();
    assertThat(summary.getTestsSucceededCount()).isGreaterThan(200);
  }

  @Test
  void missingBehavior_isNamedByTheFailureWithTheRemedy() {
    denied = null;
    lacking = Capability.GROUP_BY;
    assertThat(text(run(selectMethod(Suite.class, "groupBy_noRows_returnsNoGroups"))))
        .contains("GROUP_BY", "deny them in has()");
  }

  @Test
  void behaviorDeniedThoughSupported_isReported() {
    denied = EngineBehavior.OFFSET;
    lacking = null;
    assertThat(text(run(selectMethod(Suite.class, "limitAndOffset_returnAPart"))))
        .contains("has() denies [OFFSET]", "UNSUPPORTED_OPERATION expected", "accepted");
  }
}
