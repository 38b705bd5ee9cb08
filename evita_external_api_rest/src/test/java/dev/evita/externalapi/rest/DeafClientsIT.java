// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.externalapi.core.limits.Limits;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Clients that request many rows and read nothing. H2 has 255 transactions, the pool ten
 * connections.
 */
@Tag("long")
@Timeout(120)
final class DeafClientsIT {

  private static final int RECEIVE_BUFFER = 4 << 10;
  private static final String NOTES =
      """
      create table notes (id int primary key, note varchar(2000));
      insert into notes select x, repeat('x', 2000) from NUMBERS;
      """;

  @ParameterizedTest
  @ValueSource(strings = {"h2", "postgresql"})
  void unreadResponses_delayNoOtherRequests(String kind) throws IOException {
    var numbers =
        kind.equals("h2") ? "system_range(1, 20000)" : "generate_series(1, 20000) as n (x)";
    var clients = kind.equals("h2") ? 300 : 30;
    var deaf = new ArrayList<Socket>();
    try (var rest = RestServer.over(kind, NOTES.replace("NUMBERS", numbers), Limits.DEFAULT)) {
      for (int client = 0; client < clients; client++) {
        deaf.add(ask(rest));
      }
      for (int id = 30_001; id <= 30_002; id++) {
        assertThat(rest.write("POST", "/notes", "{\"id\": " + id + "}").statusCode())
            .isEqualTo(201);
        assertThat(rest.send("GET", "/notes?id=gt.30000&order=note").statusCode()).isEqualTo(200);
      }
      assertThat(deaf.getFirst().getInputStream().readAllBytes().length).isLessThan(20_000 * 2_000);
    } finally {
      for (var socket : deaf) {
        socket.close();
      }
    }
  }

  private static Socket ask(RestServer rest) throws IOException {
    var socket = new Socket();
    socket.setReceiveBufferSize(RECEIVE_BUFFER);
    socket.connect(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), rest.uri("/").getPort()));
    socket
        .getOutputStream()
        .write(
            "GET /rest/notes HTTP/1.1\r\nHost: localhost\r\n\r\n"
                .getBytes(StandardCharsets.US_ASCII));
    return socket;
  }
}
