// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks.faults;

import com.google.protobuf.CodedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** The request of an operation in each protocol: the same bytes each time, as keys require. */
final class Requests {

  private Requests() {}

  private static String row(RecordedWrite operation, int part, String quote) {
    return "{%1$sop%1$s:\"%2$s\",%1$spart%1$s:%3$d,%1$spayload%1$s:\"%4$s\"}"
        .formatted(quote, operation.id(), part, payload(operation));
  }

  private static String payload(RecordedWrite operation) {
    return (operation.id() + " ").repeat(8).strip();
  }

  /** An array of both rows, which one statement inserts. */
  static String rest(RecordedWrite operation) {
    return "[" + row(operation, 0, "\"") + "," + row(operation, 1, "\"") + "]";
  }

  /** Three statements of one transaction. */
  static String graphQl(RecordedWrite operation) {
    var document =
        "mutation{insert_ledger(objects:[%s]){affected_rows}insert_ledger_one(object:%s){part}"
                .formatted(row(operation, 0, ""), row(operation, 1, ""))
            + "update_counters_by_pk(pk_columns:{id:%d},_inc:{amount:1}){id}}"
                .formatted(operation.writer());
    return "{\"query\":\"" + document.replace("\"", "\\\"") + "\"}";
  }

  /** A {@code MutateRequest}, by the field numbers of {@code evita.v1.proto}. */
  static byte[] grpc(RecordedWrite operation) {
    return message(request -> request.writeByteArray(1, insert(operation)));
  }

  private static byte[] insert(RecordedWrite operation) {
    return message(insert -> {
      insert.writeString(2, "ledger");
      for (var column : new String[] {"op", "part", "payload"}) {
        insert.writeString(3, column);
      }
      for (int part = 0; part < RecordedWrite.PARTS; part++) {
        insert.writeByteArray(4, values(operation, part));
      }
    });
  }

  private static byte[] values(RecordedWrite operation, int part) {
    return message(row -> {
      row.writeByteArray(1, message(value -> value.writeString(4, operation.id())));
      row.writeByteArray(1, message(value -> value.writeInt64(2, part)));
      row.writeByteArray(1, message(value -> value.writeString(4, payload(operation))));
    });
  }

  /** Writes the fields of a message. */
  @FunctionalInterface
  private interface Fields {
    void write(CodedOutputStream out) throws IOException;
  }

  private static byte[] message(Fields fields) {
    try {
      var bytes = new ByteArrayOutputStream();
      var out = CodedOutputStream.newInstance(bytes);
      fields.write(out);
      out.flush();
      return bytes.toByteArray();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
