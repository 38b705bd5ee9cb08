// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.api.ErrorCode;
import java.net.InetAddress;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who gets one of {@code max-connections}, and what the others may do. */
final class ClientConnectionTest {

  private final ConnectionLimit limit = new ConnectionLimit(2);

  @SuppressWarnings("NullAway") // no request is served here
  private ClientConnection accept() {
    var hosts = AllowedHosts.of(List.of(), InetAddress.getLoopbackAddress());
    return new ClientConnection(new HttpListener(null, hosts, limit, false));
  }

  @Test
  void connections_upToTheLimit_areRegular() {
    assertThat(accept().regular()).isTrue();
    assertThat(accept().regular()).isTrue();
    assertThat(accept().regular()).isFalse();
  }

  @Test
  void reserve_servesProbesAlone() {
    accept();
    accept();
    var reserve = accept();
    assertThat(reserve.refusal("GET", "/system/liveness")).isNull();
    assertThat(reserve.refusal("HEAD", "/system/readiness")).isNull();
    for (var path : new String[] {"/", "/graphql", "/system", "/systematic"}) {
      var refusal = requireNonNull(reserve.refusal("GET", path));
      assertThat(refusal.code()).isEqualTo(ErrorCode.TOO_MANY_CONNECTIONS);
      assertThat(refusal)
          .hasMessage(
              "The server has reached its limit of 2 connections (max-connections); retry later");
    }
    assertThat(reserve.refusal("POST", "/system/liveness")).isNotNull();
  }

  @Test
  void reserve_withRoomAgain_becomesRegular() {
    var first = accept();
    accept();
    var reserve = accept();
    first.close();
    assertThat(reserve.refusal("GET", "/graphql")).isNull();
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
  void reserve_silentForTwoTicks_isToBeClosed() {
    accept();
    accept();
    var reserve = accept();
    assertThat(reserve.tick()).isFalse();
    assertThat(reserve.refusal("GET", "/system/liveness")).isNull();
    assertThat(reserve.tick()).isFalse();
    assertThat(reserve.refusal("GET", "/graphql")).as("does not count").isNotNull();
    assertThat(reserve.tick()).isTrue();
  }

  @Test
  void reserve_silentWithRoomAgain_stays() {
    var first = accept();
    accept();
    var reserve = accept();
    assertThat(reserve.tick()).isFalse();
    first.close();
    assertThat(reserve.tick()).isFalse();
    assertThat(reserve.regular()).isTrue();
  }
}
