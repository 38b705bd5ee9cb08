// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc.transport;

import com.google.protobuf.Any;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.error.HttpErrorCode;
import dev.evita.externalapi.core.error.ProtocolErrorCode;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import org.jspecify.annotations.Nullable;

/**
 * Error codes as statuses of gRPC: the only place that maps both. The details are a {@code
 * google.rpc.ErrorInfo} with the code's name as its reason and further details of the failure, and
 * a {@code RetryInfo} if a retry of the same call is likely to succeed.
 *
 * @see <a href="https://google.aip.dev/193">AIP-193</a>
 */
public final class GrpcStatuses {

  static final String DOMAIN = "evita.dev";

  private static final long RETRY_SECONDS = 1;
  private static final int LONGEST = 500;

  private GrpcStatuses() {}

  /** Returns the status of a code. */
  static Status.Code code(EvitaException.Code code) {
    return switch (code) {
      case ErrorCode engine -> code(engine);
      case ProtocolErrorCode protocol -> code(protocol);
      default ->
          switch (code.category()) {
            case USER -> Status.Code.INVALID_ARGUMENT;
            case RESOURCES -> Status.Code.UNAVAILABLE;
            case EXTERNAL -> Status.Code.UNKNOWN;
            case INTERNAL -> Status.Code.INTERNAL;
          };
    };
  }

  /** Maps the HTTP status of the code. */
  private static Status.Code code(ProtocolErrorCode code) {
    if (code == HttpErrorCode.TOO_COSTLY
        || code == HttpErrorCode.ANSWER_TOO_LARGE
        || code == HttpErrorCode.BATCH_TOO_LARGE) {
      return Status.Code.RESOURCE_EXHAUSTED;
    }
    return switch (code.status()) {
      case 403, 421 -> Status.Code.PERMISSION_DENIED;
      case 404 -> Status.Code.NOT_FOUND;
      case 405, 406, 415 -> Status.Code.UNIMPLEMENTED;
      case 408 -> Status.Code.DEADLINE_EXCEEDED;
      case 409, 412 -> Status.Code.FAILED_PRECONDITION;
      case 413, 414, 431, 503 -> Status.Code.RESOURCE_EXHAUSTED;
      default -> Status.Code.INVALID_ARGUMENT;
    };
  }

  private static Status.Code code(ErrorCode code) {
    return switch (code) {
      case INVALID_VALUE,
          INVALID_OPERATION,
          UNKNOWN_COLUMN,
          NOT_NULL_VIOLATION,
          VALUE_TOO_LONG,
          VALUE_OUT_OF_RANGE,
          INVALID_DATA,
          INVALID_SCRIPT,
          INVALID_CONFIGURATION ->
          Status.Code.INVALID_ARGUMENT;
      case UNKNOWN_TABLE, UNKNOWN_ROUTINE -> Status.Code.NOT_FOUND;
      case UNSUPPORTED_OPERATION -> Status.Code.UNIMPLEMENTED;
      case TOO_MANY_ROWS, OVERLOADED, POOL_EXHAUSTED, CLIENT_TOO_SLOW ->
          Status.Code.RESOURCE_EXHAUSTED;
      case UNIQUE_VIOLATION -> Status.Code.ALREADY_EXISTS;
      case FOREIGN_KEY_VIOLATION, CHECK_VIOLATION, RAISED, TRANSACTION_CLOSED ->
          Status.Code.FAILED_PRECONDITION;
      case READ_ONLY, PERMISSION_DENIED -> Status.Code.PERMISSION_DENIED;
      case SERIALIZATION_FAILURE -> Status.Code.ABORTED;
      case DEADLINE_EXCEEDED, COMMIT_UNKNOWN -> Status.Code.DEADLINE_EXCEEDED;
      case CANCELLED, CLIENT_GONE -> Status.Code.CANCELLED;
      case DATABASE_UNREACHABLE, STORAGE_FAILED, SHUTTING_DOWN, CATALOG_CHANGED ->
          Status.Code.UNAVAILABLE;
      case STORED_VALUE_INVALID -> Status.Code.DATA_LOSS;
      case DATABASE_ERROR -> Status.Code.UNKNOWN;
      case INTERNAL -> Status.Code.INTERNAL;
    };
  }

  private static boolean isWorthAnotherTry(EvitaException.Code code) {
    return switch (code(code)) {
      case UNAVAILABLE, ABORTED -> true;
      case RESOURCE_EXHAUSTED -> code.category() == ErrorCode.Category.RESOURCES;
      default -> false;
    };
  }

  /**
   * Trailers must stay below the limit of clients (8 KiB), regardless of the database's message.
   */
  private static void put(ErrorInfo.Builder info, String key, @Nullable String value) {
    if (value != null) {
      info.putMetadata(key, value.substring(0, Math.min(value.length(), LONGEST)));
    }
  }

  /** Returns the status and the trailers of a failure that may leave the process. */
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
