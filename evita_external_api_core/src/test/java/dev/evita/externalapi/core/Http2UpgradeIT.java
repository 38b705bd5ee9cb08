// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Upgrades of HTTP/1.1 connections to HTTP/2 (RFC 7540, section 3.2). */
@Timeout(60)
final class Http2UpgradeIT {

  private static final String UPGRADE =
      String.join(
          "\r\n",
          "GET /rows?n=2000 HTTP/1.1",
          "Host: localhost",
          "Connection: Upgrade, HTTP2-Settings",
          "Upgrade: h2c",
          "HTTP2-Settings: AAMAAABk",
          "",
          "");
  private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
  private static final byte[] SETTINGS = {0, 0, 0, 4, 0, 0, 0, 0, 0};
  private static final int HEADERS = 1;

  /**
   * With the response directly behind the 101, curl 7.88 aborted one request in five, as more
   * arrived than it buffers, and the JDK's client took a row for a frame once in a thousand
   * requests.
   */
  @Test
  void response_afterUpgrade_waitsForTheClientPreface() throws IOException {
    try (var fixture = TestServer.start();
        var socket = new Socket(InetAddress.getLoopbackAddress(), fixture.port())) {
      socket.setSoTimeout(10_000);
      var out = socket.getOutputStream();
      out.write(UPGRADE.getBytes(StandardCharsets.US_ASCII));
      var in = new DataInputStream(socket.getInputStream());
      assertThat(head(in)).startsWith("HTTP/1.1 101 ");
      var frames = new ArrayList<String>();
      frames.add(frame(in));
      out.write(PREFACE.getBytes(StandardCharsets.US_ASCII));
      out.write(SETTINGS);
      while (!frames.getLast().startsWith(HEADERS + " ")) {
        frames.add(frame(in));
      }
      // type, flags, stream: the acknowledgement of the client's SETTINGS comes first
      assertThat(frames).containsExactlyElementsOf(List.of("4 0 0", "8 0 0", "4 1 0", "1 4 1"));
    }
  }

  private static String head(DataInputStream in) throws IOException {
    var head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      head.append((char) in.readByte());
    }
    return head.toString();
  }

  private static String frame(DataInputStream in) throws IOException {
    var length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
    var frame = in.readUnsignedByte() + " " + in.readUnsignedByte() + " " + in.readInt();
    in.skipNBytes(length);
    return frame;
  }
}
