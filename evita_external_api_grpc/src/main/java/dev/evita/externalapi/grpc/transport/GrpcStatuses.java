// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc.transport;

import com.google.protobuf.Any;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import org.jspecify.annotations.Nullable;

/**
 * Error codes as statuses of gRPC: the one place that knows both. The details are a {@code
 * google.rpc.ErrorInfo} with the code's name as its reason and what else is known of the case, and
 * a {@code RetryInfo} where the same call may well succeed a little later.
 *
 * @see <a href="https://google.aip.dev/193">AIP-193</a>
 */
public final class GrpcStatuses {

  static final String DOMAIN = "evita.dev";

  private static final long RETRY_SECONDS = 1;
  private static final int LONGEST = 500;

  private GrpcStatuses() {}

  /** The status of a code. */
  static Status.Code code(ErrorCode code) {
    return switch (code) {
      case MALFORMED_REQUEST,
          INVALID_DOCUMENT,
          INVALID_VALUE,
          INVALID_OPERATION,
          UNKNOWN_COLUMN,
          TOO_DEEP,
          TOO_MANY_ALIASES,
          TOO_MANY_ROOT_FIELDS,
          NOT_NULL_VIOLATION,
          VALUE_TOO_LONG,
          VALUE_OUT_OF_RANGE,
          INVALID_DATA,
          INVALID_SCRIPT,
          INVALID_CONFIGURATION,
          PERSISTED_QUERY_HASH_MISMATCH,
          IDEMPOTENCY_KEY_REUSED ->
          Status.Code.INVALID_ARGUMENT;
      case NOT_FOUND, UNKNOWN_TABLE, UNKNOWN_ROUTINE, PERSISTED_QUERY_NOT_FOUND ->
          Status.Code.NOT_FOUND;
      case METHOD_NOT_ALLOWED,
          NOT_ACCEPTABLE,
          UNSUPPORTED_MEDIA_TYPE,
          UNSUPPORTED_OPERATION,
          INTROSPECTION_DISABLED,
          PERSISTED_QUERY_NOT_SUPPORTED ->
          Status.Code.UNIMPLEMENTED;
      case BODY_TOO_LARGE,
          URL_TOO_LONG,
          HEADERS_TOO_LARGE,
          TOO_MANY_ROWS,
          ANSWER_TOO_LARGE,
          TOO_COSTLY,
          BATCH_TOO_LARGE,
          OVERLOADED,
          TOO_MANY_CONNECTIONS,
          TOO_MANY_SUBSCRIPTIONS,
          POOL_EXHAUSTED,
          CLIENT_TOO_SLOW ->
          Status.Code.RESOURCE_EXHAUSTED;
      case UNIQUE_VIOLATION -> Status.Code.ALREADY_EXISTS;
      case FOREIGN_KEY_VIOLATION,
          CHECK_VIOLATION,
          RAISED,
          PRECONDITION_FAILED,
          TRANSACTION_CLOSED,
          ALREADY_STARTED,
          ADDRESS_IN_USE ->
          Status.Code.FAILED_PRECONDITION;
      case READ_ONLY,
          DOCUMENT_NOT_TRUSTED,
          ORIGIN_NOT_ALLOWED,
          HOST_NOT_ALLOWED,
          PERMISSION_DENIED ->
          Status.Code.PERMISSION_DENIED;
      case SERIALIZATION_FAILURE -> Status.Code.ABORTED;
      case REQUEST_TIMEOUT, DEADLINE_EXCEEDED, COMMIT_UNKNOWN -> Status.Code.DEADLINE_EXCEEDED;
      case CANCELLED, CLIENT_GONE -> Status.Code.CANCELLED;
      case DATABASE_UNREACHABLE, STORAGE_FAILED, SHUTTING_DOWN, CATALOG_CHANGED ->
          Status.Code.UNAVAILABLE;
      case STORED_VALUE_INVALID -> Status.Code.DATA_LOSS;
      case DATABASE_ERROR -> Status.Code.UNKNOWN;
      case INTERNAL -> Status.Code.INTERNAL;
    };
  }

  private static boolean isWorthAnotherTry(ErrorCode code) {
    return switch (code(code)) {
      case UNAVAILABLE, ABORTED -> true;
      case RESOURCE_EXHAUSTED -> code.category() == ErrorCode.Category.RESOURCES;
      default -> false;
    };
  }

  /** Trailers must stay below what clients take (8 KiB), whatever the database says. */
  private static void put(ErrorInfo.Builder info, String key, @Nullable String value) {
    if (value != null) {
      info.putMetadata(key, value.substring(0, Math.min(value.length(), LONGEST)));
    }
  }

  /** The status and the trailers of a failure that may be told. */
  public static StatusRuntimeException of(EvitaException problem) {
    var code = problem.code();
    var info =
        ErrorInfo.newBuilder()
            .setReason(code.name())
            .setDomain(DOMAIN)
            .putMetadata("category", code.category().name());
    put(info, "details", problem.details());
    put(info, "hint", problem.hint());
    var status =
        com.google.rpc.Status.newBuilder()
            .setCode(code(code).value())
            .setMessage(problem.publicMessage())
            .addDetails(Any.pack(info.build()));
    if (isWorthAnotherTry(code)) {
      var delay = com.google.protobuf.Duration.newBuilder().setSeconds(RETRY_SECONDS);
      status.addDetails(Any.pack(RetryInfo.newBuilder().setRetryDelay(delay).build()));
    }
    return StatusProto.toStatusRuntimeException(status.build());
  }
}
