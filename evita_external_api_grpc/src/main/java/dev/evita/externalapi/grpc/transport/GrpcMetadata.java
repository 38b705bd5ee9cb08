// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc.transport;

import dev.evita.externalapi.core.exchange.StreamingExchange;
import io.grpc.Metadata;
import io.grpc.Status;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Metadata as header fields: texts as they are, binary values, whose names end in {@code -bin}, in
 * base64 (gRPC over HTTP/2, "Custom-Metadata").
 */
public final class GrpcMetadata {

  private static final String STATUS = "grpc-status";
  private static final String MESSAGE = "grpc-message";

  /** The call's own and the connection's, which no service is to see or to set. */
  private static final Set<String> OWN =
      Set.of(
          "te",
          "content-type",
          "content-length",
          "grpc-timeout",
          STATUS,
          MESSAGE,
          "connection",
          "expect",
          "keep-alive",
          "transfer-encoding",
          "upgrade");

  private GrpcMetadata() {}

  private static Metadata.Key<String> text(String name) {
    return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
  }

  /** What the client sent. Fields that cannot be metadata are left out. */
  static Metadata of(StreamingExchange call) {
    var metadata = new Metadata();
    call.headers((name, value) -> add(metadata, name, value));
    return metadata;
  }

  private static void add(Metadata metadata, String name, String value) {
    if (OWN.contains(name) || !isName(name)) {
      return;
    }
    if (!name.endsWith(Metadata.BINARY_HEADER_SUFFIX)) {
      metadata.put(text(name), value);
      return;
    }
    var key = Metadata.Key.of(name, Metadata.BINARY_BYTE_MARSHALLER);
    for (var part : value.split(",", -1)) { // several fields of one name may have become one
      var bytes = bytes(part.strip());
      if (bytes != null) {
        metadata.put(key, bytes);
      }
    }
  }

  private static byte @Nullable [] bytes(String base64) {
    try {
      return Base64.getDecoder().decode(base64);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  private static boolean isName(String name) {
    for (int i = 0; i < name.length(); i++) {
      var c = name.charAt(i);
      var good = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || "-_.".indexOf(c) >= 0;
      if (!good) {
        return false;
      }
    }
    return !name.isEmpty();
  }

  /** Each field of it, in order. */
  static void forEach(Metadata metadata, BiConsumer<String, String> field) {
    for (var name : metadata.keys()) {
      if (name.endsWith(Metadata.BINARY_HEADER_SUFFIX)) {
        var values = metadata.getAll(Metadata.Key.of(name, Metadata.BINARY_BYTE_MARSHALLER));
        if (values != null) {
          var base64 = Base64.getEncoder().withoutPadding();
          values.forEach(value -> field.accept(name, base64.encodeToString(value)));
        }
      } else {
        var values = metadata.getAll(text(name));
        if (values != null) {
          values.forEach(value -> field.accept(name, value));
        }
      }
    }
  }

  /** The fields that end an answer, each a name and a value: the status, then the service's. */
  public static List<String[]> trailers(Status status, Metadata own) {
    var fields = new ArrayList<String[]>(3);
    fields.add(new String[] {STATUS, Integer.toString(status.getCode().value())});
    var description = status.getDescription();
    if (description != null) {
      fields.add(new String[] {MESSAGE, encoded(description)});
    }
    forEach(
        own,
        (name, value) -> {
          if (!name.equals(STATUS) && !name.equals(MESSAGE)) {
            fields.add(new String[] {name, value});
          }
        });
    return fields;
  }

  /** Percent-encoded but for printable ASCII. */
  static String encoded(String message) {
    var encoded = new StringBuilder(message.length());
    for (var b : message.getBytes(StandardCharsets.UTF_8)) {
      if (b >= ' ' && b < 0x7f && b != '%') {
        encoded.append((char) b);
      } else {
        encoded.append('%');
        encoded.append(Character.toUpperCase(Character.forDigit((b >> 4) & 15, 16)));
        encoded.append(Character.toUpperCase(Character.forDigit(b & 15, 16)));
      }
    }
    return encoded.toString();
  }
}
