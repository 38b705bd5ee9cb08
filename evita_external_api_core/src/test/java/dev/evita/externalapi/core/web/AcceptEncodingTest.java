// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class AcceptEncodingTest {

  @ParameterizedTest
  @CsvSource({
    "gzip, GZIP",
    "'gzip, zstd', ZSTD",
    "'zstd;q=0.5, gzip;q=0.8', GZIP",
    "*, ZSTD",
    "'*;q=0.5, zstd;q=0', GZIP",
    "'GZIP;Q=0.3', GZIP",
    "br,",
    "'',",
    "'gzip;q=0',",
    "'identity, gzip;q=0.5',",
  })
  void choose_header_selectsThePreferredCoding(String header, ContentCoding coding) {
    var offered = List.of(ContentCoding.ZSTD, ContentCoding.GZIP);
    assertThat(AcceptEncoding.choose(header, offered)).isEqualTo(coding);
  }
}
