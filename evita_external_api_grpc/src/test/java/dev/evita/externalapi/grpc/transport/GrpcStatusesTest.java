// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc.transport;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.error.HttpErrorCode;
import io.grpc.Status;
import io.grpc.protobuf.StatusProto;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

final class GrpcStatusesTest {

  static Stream<EvitaException.Code> codes() {
    return Stream.concat(Stream.of(ErrorCode.values()), Stream.of(HttpErrorCode.values()));
  }

  @ParameterizedTest
  @MethodSource("codes")
  void each_hasAStatus_andItsNameInTheDetails(EvitaException.Code code) throws Exception {
    var told = GrpcStatuses.of(new EvitaException(code, "why"));
    assertThat(told.getStatus().getCode()).isNotIn(Status.Code.OK, null);
    assertThat(told.getStatus().getDescription()).isEqualTo("why");
    if (code.category() == ErrorCode.Category.USER) {
      assertThat(told.getStatus().getCode())
          .isNotIn(Status.Code.INTERNAL, Status.Code.UNKNOWN, Status.Code.UNAVAILABLE);
    }
    var info = StatusProto.fromThrowable(told).getDetails(0).unpack(ErrorInfo.class);
    assertThat(info.getReason()).isEqualTo(code.name());
    assertThat(info.getDomain()).isEqualTo("evita.dev");
  }

  @Test
  void details_describeTheFault() throws Exception {
    var problem =
        new EvitaException(
            ErrorCode.UNIQUE_VIOLATION,
            "twice",
            "Key (id)=(1) already exists. ".repeat(100),
            "Take another",
            null);
    var status = StatusProto.fromThrowable(GrpcStatuses.of(problem));
    assertThat(status.getDetails(0).unpack(ErrorInfo.class).getMetadataMap())
        .containsEntry("category", "USER")
        .containsEntry("hint", "Take another")
        .hasEntrySatisfying(
            "details",
            details -> assertThat(details).startsWith("Key (id)=(1) already exists.").hasSize(500));
  }

  @ParameterizedTest
  @CsvSource({
    "OVERLOADED, true",
    "CATALOG_CHANGED, true",
    "TOO_MANY_ROWS, false",
    "UNKNOWN_TABLE, false"
  })
  void retryInfo_whereAnotherTryMayHelp(ErrorCode code, boolean expected) {
    var details = StatusProto.fromThrowable(GrpcStatuses.of(new EvitaException(code, "why")));
    assertThat(details.getDetailsList().stream().anyMatch(any -> any.is(RetryInfo.class)))
        .isEqualTo(expected);
  }
}
