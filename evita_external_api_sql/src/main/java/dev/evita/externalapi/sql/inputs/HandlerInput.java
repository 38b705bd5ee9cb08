// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.sql.inputs;

import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.error.HttpErrorCode;
import dev.evita.externalapi.core.exchange.JsonTree;
import dev.evita.externalapi.core.exchange.Request;
import dev.evita.externalapi.core.exchange.RequestBody;
import dev.evita.externalapi.core.json.JsonWriter;
import dev.evita.externalapi.core.web.MediaTypes;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/**
 * A request as handlers see it. Its parts are parsed when they are first used.
 *
 * <p>Created on the I/O thread, as it copies the body; used by one thread at a time.
 */
public final class HandlerInput {

  private static final String FORM = "application/x-www-form-urlencoded";
  private static final String JSON = "application/json";

  private final Request request;
  private final long id;
  private final byte[] body;
  private String @Nullable [] segments;
  private @Nullable Map<String, String> query;
  private @Nullable Map<String, String> form;
  private @Nullable Map<String, String> cookies;
  private @Nullable Map<?, ?> json;
  private @Nullable String headers;

  /**
   * @param id distinguishes it from other requests of this server
   */
  public HandlerInput(Request request, long id) {
    this.request = request;
    this.id = id;
    var sent = request.body();
    this.body = sent.length() == 0 ? sent.bytes() : Arrays.copyOf(sent.bytes(), sent.length());
  }

  /** A number that distinguishes the request from others of this server. */
  public long id() {
    return id;
  }

  /** The request itself; its body is no longer valid. */
  public Request request() {
    return request;
  }

  /** The complete body; not to be changed. */
  public byte[] body() {
    return request.body().length() == 0 ? new byte[0] : body;
  }

  /** The parts of the path after its first slash. {@code %2F} in a part stays encoded. */
  public String[] segments() {
    var split = segments;
    if (split == null) {
      split = request.path().substring(1).split("/", -1);
      segments = split;
    }
    return split;
  }

  /** The first value of a query parameter; null if absent. */
  public @Nullable String query(String name) {
    var parsed = query;
    if (parsed == null) {
      parsed = request.query().isEmpty() ? Map.of() : FormText.parse(request.query());
      query = parsed;
    }
    return parsed.get(name);
  }

  /** The header; null if absent. */
  public @Nullable String header(String name) {
    return request.header(name);
  }

  /** The cookie; null if absent. */
  @Nullable String cookie(String name) {
    var parsed = cookies;
    if (parsed == null) {
      parsed = cookies(request.header("Cookie"));
      cookies = parsed;
    }
    return parsed.get(name);
  }

  /** Cookie pairs are separated by "; " (RFC 6265, section 4.2.1); several lines by ", ". */
  private static Map<String, String> cookies(@Nullable String header) {
    var cookies = new HashMap<String, String>();
    if (header != null) {
      for (var pair : header.split("[;,]", -1)) {
        var equals = pair.indexOf('=');
        if (equals > 0) {
          cookies.putIfAbsent(
              pair.substring(0, equals).strip(), pair.substring(equals + 1).strip());
        }
      }
    }
    return cookies;
  }

  /** The body as text; null if there is none. */
  @Nullable String text() {
    if (request.body().length() == 0) {
      return null;
    }
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString();
    } catch (CharacterCodingException e) {
      throw new EvitaException(
          HttpErrorCode.MALFORMED_REQUEST, "The body is not valid UTF-8; encode it as UTF-8", e);
    }
  }

  private boolean isEmpty() {
    return request.body().length() == 0;
  }

  /** Whether the body is a form. */
  boolean isForm() {
    return MediaTypes.is(request.header("Content-Type"), FORM);
  }

  /** Whether the body is JSON. */
  boolean isJson() {
    return MediaTypes.is(request.header("Content-Type"), JSON);
  }

  /**
   * Checks the type of a body from which inputs are read.
   *
   * @param forms whether the handler reads form fields
   * @param members whether it reads JSON members
   * @throws EvitaException {@code UNSUPPORTED_MEDIA_TYPE}
   */
  void requireBody(boolean forms, boolean members) {
    if (isEmpty() || (forms && isForm()) || (members && isJson())) {
      return;
    }
    throw new EvitaException(
        HttpErrorCode.UNSUPPORTED_MEDIA_TYPE,
        "The body's Content-Type is '"
            + request.header("Content-Type")
            + "'; expected "
            + (forms ? FORM : JSON)
            + (forms && members ? " or " + JSON : ""));
  }

  /** The first value of a form field; null if absent. */
  @Nullable String form(String name) {
    var parsed = form;
    if (parsed == null) {
      var text = isForm() ? text() : null;
      parsed = text == null ? Map.of() : FormText.parse(text);
      form = parsed;
    }
    return parsed.get(name);
  }

  /**
   * The member of the body's JSON object, as {@link JsonTree}; null if absent.
   *
   * @throws EvitaException {@code MALFORMED_REQUEST}
   */
  @Nullable Object json(String name) {
    var parsed = json;
    if (parsed == null) {
      parsed = isEmpty() || !isJson() ? Map.of() : object();
      json = parsed;
    }
    return parsed.get(name);
  }

  private Map<?, ?> object() {
    try {
      if (JsonTree.parseWhole(new RequestBody(body, body.length)) instanceof Map<?, ?> members) {
        return members;
      }
    } catch (JacksonException e) {
      throw new EvitaException(
          HttpErrorCode.MALFORMED_REQUEST, "The body is not JSON: " + e.getOriginalMessage(), e);
    }
    throw new EvitaException(
        HttpErrorCode.MALFORMED_REQUEST, "The body is JSON, but no object; send an object");
  }

  /** The headers as a JSON object, by their names in lower case. */
  String headers() {
    var written = headers;
    if (written == null) {
      var json = JsonWriter.inMemory();
      request.forEachHeader((name, value) -> {
        json.raw(json.position() == 0 ? "{" : ",");
        json.string(name);
        json.raw(':').string(value);
      });
      json.raw(json.position() == 0 ? "{}" : "}");
      written = new String(json.take(), StandardCharsets.UTF_8);
      headers = written;
    }
    return written;
  }
}
