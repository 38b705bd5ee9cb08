// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.api.KeyValues;
import dev.evita.api.TableName;
import dev.evita.externalapi.core.EmptyEngine;
import dev.evita.externalapi.core.WatchedEngine;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class CommitWatchTest {

  private static final TableName A = new TableName("public", "a");
  private static final TableName B = new TableName("public", "b");
  private static final TableName VIEW = new TableName("public", "v");
  private static final Duration NEVER = Duration.ofDays(1);

  private final WatchedEngine engine = new WatchedEngine(A, B).withView(VIEW);
  private final CommitWatch versions = new CommitWatch(engine, NEVER);

  @AfterEach
  void close() {
    versions.close();
  }

  private long version(TableName... tables) {
    return versions.version(List.of(tables)).orElseThrow();
  }

  @Test
  void version_commit_growsOnlyForItsTables() {
    var a = version(A);
    var b = version(B);
    var both = version(A, B);
    engine.commit(A);
    assertThat(version(A)).isGreaterThan(a);
    assertThat(version(B)).isEqualTo(b);
    assertThat(version(A, B)).isGreaterThan(both);
  }

  @Test
  void version_view_growsWithEachCommit() {
    var before = version(VIEW, A);
    engine.commit(B);
    assertThat(version(VIEW, A)).isGreaterThan(before);
  }

  @Test
  void version_laterServer_isLarger() {
    engine.commit(A);
    var before = version(A);
    try (var later = new CommitWatch(new WatchedEngine(A), NEVER)) {
      assertThat(later.version(Set.of(A)).orElseThrow()).isNotEqualTo(before);
    }
  }

  @Test
  void version_withoutWatch_isAbsent() {
    try (var polled = new CommitWatch(new EmptyEngine(), NEVER)) {
      assertThat(polled.known()).isFalse();
      assertThat(polled.version(Set.of(A))).isEmpty();
    }
  }

  @Test
  void listener_isNotifiedOnlyOfItsTables() {
    var ofA = new Semaphore(0);
    var ofB = new Semaphore(0);
    versions.listen(Set.of(A), ofA::release);
    versions.listen(Set.of(A, B), ofB::release);
    engine.commit(B);
    ofB.acquireUninterruptibly();
    engine.commit(A);
    ofB.acquireUninterruptibly();
    ofA.acquireUninterruptibly();
    assertThat(ofA.availablePermits()).isZero();
  }

  @Test
  void commit_withoutListeners_startsNoThread() {
    var before = notifierThreads();
    engine.commit(A);
    assertThat(before).containsAll(notifierThreads());
    var told = new Semaphore(0);
    versions.listen(Set.of(A), told::release);
    engine.commit(B);
    assertThat(before).containsAll(notifierThreads());
    engine.commit(A);
    told.acquireUninterruptibly();
    assertThat(notifierThreads()).isNotEmpty();
  }

  /** Notifier threads, of earlier tests as well: each starts with its first notification. */
  private static Set<Thread> notifierThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("evita-changes"))
        .collect(Collectors.toSet());
  }

  @Test
  void listener_ofARow_isNotNotifiedOfOthers() {
    var one = new KeyValues(List.of(1L));
    var two = new KeyValues(List.of(2L));
    var told = new Semaphore(0);
    var all = new Semaphore(0);
    versions.listen(Set.of(A, B), Map.of(A, one), told::release);
    versions.listen(Set.of(A, B), all::release);
    engine.commit(A, two);
    all.acquireUninterruptibly();
    engine.commit(A, one);
    told.acquireUninterruptibly();
    all.acquireUninterruptibly();
    engine.commit(A, two);
    all.acquireUninterruptibly();
    assertThat(told.availablePermits()).isZero();
    engine.commit(A); // any rows
    told.acquireUninterruptibly();
    engine.commit(B, two); // of which all rows are relevant
    told.acquireUninterruptibly();
  }

  @Test
  void listener_ofARow_burstOfCommits_isNotifiedIfOneAffectsIt() throws Exception {
    var entered = new CountDownLatch(1);
    var leave = new CountDownLatch(1);
    var told = new Semaphore(0);
    var others = new Semaphore(0);
    versions.listen(
        Set.of(B),
        () -> {
          entered.countDown();
          awaitUninterruptibly(leave);
        });
    versions.listen(Set.of(A), Map.of(A, new KeyValues(List.of(500L))), told::release);
    versions.listen(Set.of(A), Map.of(A, new KeyValues(List.of(-1L))), others::release);
    engine.commit(B);
    entered.await();
    for (long i = 0; i < 800; i++) {
      engine.commit(A, new KeyValues(List.of(i)));
    }
    leave.countDown();
    told.acquireUninterruptibly();
    assertThat(others.availablePermits()).isZero();
  }

  @Test
  void listener_ofAView_isNotifiedOfAnyCommit() {
    var told = new Semaphore(0);
    versions.listen(Set.of(VIEW), told::release);
    engine.commit(B);
    told.acquireUninterruptibly();
  }

  @Test
  void listener_burstOfCommits_isNotifiedOnce() throws InterruptedException {
    var entered = new CountDownLatch(1);
    var leave = new CountDownLatch(1);
    var told = new Semaphore(0);
    versions.listen(
        Set.of(B),
        () -> {
          entered.countDown();
          awaitUninterruptibly(leave);
        });
    versions.listen(Set.of(A), told::release);
    engine.commit(B);
    entered.await();
    for (int i = 0; i < 1_000; i++) {
      engine.commit(A); // never waits for the listener that blocks the single thread
    }
    leave.countDown();
    told.acquireUninterruptibly();
    engine.commit(A);
    told.acquireUninterruptibly();
    assertThat(told.availablePermits()).isZero();
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void listener_throwing_doesNotAffectOthers() {
    var told = new Semaphore(0);
    versions.listen(
        Set.of(A),
        () -> {
          throw new IllegalStateException("the test's own");
        });
    versions.listen(Set.of(A), told::release);
    engine.commit(A);
    engine.commit(A);
    told.acquireUninterruptibly();
  }

  @Test
  void listener_closed_isRemoved() {
    var gone = new Semaphore(0);
    var told = new Semaphore(0);
    var registration = versions.listen(Set.of(A, VIEW), gone::release);
    var other = versions.listen(Set.of(A), gone::release);
    assertThat(versions.listening()).isEqualTo(2);
    registration.close();
    other.close();
    assertThat(versions.listening()).isZero();
    versions.listen(Set.of(A), told::release);
    engine.commit(A);
    told.acquireUninterruptibly();
    assertThat(gone.availablePermits()).isZero();
  }

  @Test
  void listener_engineWithoutCommits_isNotifiedPeriodically() {
    var told = new Semaphore(0);
    try (var polled = new CommitWatch(new EmptyEngine(), Duration.ofMillis(5))) {
      polled.listen(Set.of(A), told::release);
      told.acquireUninterruptibly(3);
    }
  }

  @Test
  void close_endsTheRegistrationWithTheEngine() {
    assertThat(engine.watched()).isTrue();
    versions.close();
    assertThat(engine.watched()).isFalse();
  }
}
