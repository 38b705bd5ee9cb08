// SPDX-License-Identifier: Apache-2.0
package dev.evita.http;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Connections within {@code max-connections}, and requests on reserve connections. */
final class ClientConnectionTest {

  private final ConnectionLimit limit = new ConnectionLimit(2);

  private ClientConnection accept() {
    return new ClientConnection(limit, "/system/");
  }

  @Test
  void connections_upToTheLimit_areRegular() {
    assertThat(accept().regular()).isTrue();
    assertThat(accept().regular()).isTrue();
    assertThat(accept().regular()).isFalse();
  }

  @Test
  void reserve_servesOnlyProbes() {
    accept();
    accept();
    var reserve = accept();
    assertThat(reserve.fault("GET", "/system/liveness")).isNull();
    assertThat(reserve.fault("HEAD", "/system/readiness")).isNull();
    for (var path : new String[] {"/", "/graphql", "/system", "/systematic"}) {
      var fault = requireNonNull(reserve.fault("GET", path));
      assertThat(fault.code()).isEqualTo("TOO_MANY_CONNECTIONS");
      assertThat(fault.detail())
          .isEqualTo(
              "The server has reached its limit of 2 connections (max-connections); retry later");
    }
    assertThat(reserve.fault("POST", "/system/liveness")).isNotNull();
  }

  @Test
  void reserve_placeFree_becomesRegular() {
    var first = accept();
    accept();
    var reserve = accept();
    first.close();
    assertThat(reserve.fault("GET", "/graphql")).isNull();
    assertThat(accept().regular()).isFalse();
  }

  @Test
  void close_twice_countsOnce() {
    var first = accept();
    accept();
    var reserve = accept();
    reserve.close();
    assertThat(accept().regular()).isFalse();
    first.close();
    first.close();
    assertThat(accept().regular()).isTrue();
    assertThat(accept().regular()).isFalse();
    assertThat(reserve.regular()).isFalse();
  }

  @Test
  void reserve_silentForTwoTicks_mustBeClosed() {
    accept();
    accept();
    var reserve = accept();
    assertThat(reserve.tick()).isFalse();
    assertThat(reserve.fault("GET", "/system/liveness")).isNull();
    assertThat(reserve.tick()).isFalse();
    assertThat(reserve.fault("GET", "/graphql")).as("does not count").isNotNull();
    assertThat(reserve.tick()).isTrue();
  }

  @Test
  void reserve_silentWithPlaceFree_staysOpen() {
    var first = accept();
    accept();
    var reserve = accept();
    assertThat(reserve.tick()).isFalse();
    first.close();
    assertThat(reserve.tick()).isFalse();
    assertThat(reserve.regular()).isTrue();
  }
}
