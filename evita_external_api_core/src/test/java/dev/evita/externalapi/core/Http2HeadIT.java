// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.externalapi.core.limits.Limits;
import dev.evita.externalapi.core.tls.TlsOptions;
import dev.evita.testsupport.ProcessMemory;
import java.util.Random;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** HTTP/2 heads that are large, fragmented, or crafted to cost much. */
@Timeout(60)
final class Http2HeadIT {

  private static final int WINDOW = 65_535;
  private static final long SPARE_BYTES = 24 << 20;

  private static TestServer start(boolean tls) {
    var limits = Limits.DEFAULT;
    return TestServer.start(
        options -> options.limits(limits).tls(TlsOptions.builder().tlsSelfSigned(tls).build()));
  }

  private static RawHttp2 connect(TestServer fixture, boolean tls) {
    return tls
        ? RawHttp2.connectTls(fixture.port(), WINDOW)
        : RawHttp2.connect(fixture.port(), WINDOW);
  }

  private static String text(int length) {
    var random = new Random(length);
    var text = new StringBuilder(length);
    for (int i = 0; i < length; i++) {
      text.append((char) ('!' + random.nextInt(94)));
    }
    return text.toString();
  }

  @ParameterizedTest
  @CsvSource({
    "true, 17500, 16384", "true, 17500, 1000", "true, 100, 5",
    "false, 17500, 16384", "false, 17500, 1000", "false, 100, 5",
  })
  void head_severalFrames_isServed(boolean tls, int length, int cut) {
    try (var fixture = start(tls);
        var client = connect(fixture, tls)) {
      for (int stream = 1; stream < 10; stream += 2) {
        client.getInPieces(stream, "/system/liveness", text(length), cut);
        client.await("STATUS " + stream + " 200");
        client.await("END " + stream);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void head_tooLarge_isRejectedAndKeepsTheConnection(boolean tls) {
    try (var fixture = start(tls);
        var client = connect(fixture, tls)) {
      for (int stream = 1; stream < 10; stream += 4) {
        client.getInPieces(stream, "/system/liveness", text(40_000), 16_384);
        client.await("STATUS " + stream + " 431");
        client.getInPieces(stream + 2, "/system/liveness", text(20_000), 16_384);
        client.await("STATUS " + (stream + 2) + " 200");
      }
    }
  }

  /** A table entry of 4 KB takes one byte of a block: 48 MB of fields in 16 KB. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void hpackBomb_isRejectedAtLowCost(boolean tls) {
    try (var fixture = start(tls);
        var client = connect(fixture, tls)) {
      var before = ProcessMemory.used();
      for (int stream = 1; stream < 100; stream += 2) {
        client.bomb(stream).await("STATUS " + stream + " 431");
      }
      assertThat(ProcessMemory.used() - before).isLessThan(SPARE_BYTES);
      client.getInPieces(101, "/system/liveness", "x", 100).await("STATUS 101 200");
    }
  }
}
