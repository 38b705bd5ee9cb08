// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc;

import dev.evita.externalapi.core.Duplex;
import io.grpc.Metadata;
import io.grpc.Status;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Metadata as header fields: texts as they are, binary values, whose names end in {@code -bin}, in
 * base64 (gRPC over HTTP/2, "Custom-Metadata").
 */
final class GrpcMetadata {

  static final Metadata.Key<String> STATUS = text("grpc-status");
  static final Metadata.Key<String> MESSAGE = text("grpc-message");

  /** The call's own, which no service is to see or to set. */
  private static final Set<String> OWN =
      Set.of("te", "content-type", "content-length", "grpc-timeout", "grpc-status", "grpc-message");

  private GrpcMetadata() {}

  private static Metadata.Key<String> text(String name) {
    return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
  }

  /** What the client sent. Fields that cannot be metadata are left out. */
  static Metadata of(Duplex call) {
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
    return !name.isEmpty()
        && name.chars()
            .allMatch(c ->
                (c >= 'a' && c <= 'z')
                    || (c >= '0' && c <= '9')
                    || c == '-'
                    || c == '_'
                    || c == '.');
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

  /** Trailers with the status. */
  static Metadata trailers(Status status, Metadata own) {
    var trailers = new Metadata();
    trailers.put(STATUS, Integer.toString(status.getCode().value()));
    var description = status.getDescription();
    if (description != null) {
      trailers.put(MESSAGE, encoded(description));
    }
    own.discardAll(STATUS);
    own.discardAll(MESSAGE);
    trailers.merge(own);
    return trailers;
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
