// SPDX-License-Identifier: Apache-2.0
package dev.evita.http;

import io.undertow.server.HttpServerExchange;
import io.undertow.server.protocol.http.HttpServerConnection;
import io.undertow.util.HeaderValues;
import io.undertow.util.Headers;
import io.undertow.util.HttpString;
import io.undertow.util.Methods;
import io.undertow.util.Protocols;
import java.util.Base64;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a server of HTTP/1 behind a proxy must refuse and Undertow takes. It goes by RFC 9112: where
 * two servers in a row read the same bytes as different requests, a client can smuggle one of them
 * past the first.
 *
 * <table>
 *   <caption>What is refused</caption>
 *   <tr><th>rule<th>status<th>RFC 9112
 *   <tr><td>{@link Rule#VERSION}: a version other than 1.0 and 1.1<td>505<td>2.3
 *   <tr><td>{@link Rule#LARGE_HEAD}: more bytes or fields than allowed<td>431<td>(RFC 6585, 5)
 *   <tr><td>{@link Rule#LONG_URL}: a request line that does not end<td>414<td>3
 *   <tr><td>{@link Rule#LINE_END}: an empty line before the request that ends with CR<td>400<td>2.2
 *   <tr><td>{@link Rule#HEAD}: what Undertow's parser does not take<td>400<td>2.2
 *   <tr><td>{@link Rule#HOST}: no Host, two, or a malformed one (by Undertow)<td>400<td>3.2
 *   <tr><td>{@link Rule#FOLDED_LINE}: a field that goes on in the next line<td>400<td>5.2
 *   <tr><td>{@link Rule#METHOD}: CONNECT and TRACE<td>501<td>3 (RFC 9110, 9.1)
 *   <tr><td>{@link Rule#LENGTH}: a length that a long cannot hold<td>400<td>6.3
 *   <tr><td>{@link Rule#CODING_IN_1_0}: Transfer-Encoding in HTTP/1.0<td>400<td>6.1
 *   <tr><td>{@link Rule#CODING_NOT_FINAL}: chunked is not the last coding<td>400<td>6.3
 *   <tr><td>{@link Rule#CODING_UNKNOWN}: a coding other than chunked<td>501<td>6.1
 *   <tr><td>{@link Rule#EXPECTATION}: any but 100-continue<td>417<td>(RFC 9110, 10.1.1)
 *   <tr><td>{@link Rule#CHUNK}: a chunk's size, end, extension or trailer<td>400<td>7.1
 *   <tr><td>{@link Rule#TRUNCATED_BODY}: the connection ends before the body<td>400<td>8
 * </table>
 *
 * <p>A request for a host that is not among {@link AllowedHosts} is refused with 421 (RFC 9110,
 * section 15.5.20), in HTTP/2 as well.
 *
 * <p>Costs a good request six look-ups of header fields and no allocation.
 */
final class StrictHttp {

  /**
   * Undertow counts names, of which hostile ones collide; so this bound is not the bytes' alone.
   */
  static final int MAX_FIELDS = 200;

  private static final int MAX_LENGTH_DIGITS = 18;

  /**
   * Characters of a request target beside letters, digits and escapes (RFC 3986, section 2).
   * Undertow has the same set since 2.4; here it also works with 2.3, which Spring Boot 3.5
   * manages.
   */
  private static final String TARGET_PUNCTUATION = "!$&'()*+,-./:;=?@[]_~";

  /** A rule, and how its breach is answered. The connection is closed after it. */
  enum Rule {
    VERSION(505, "This server speaks HTTP/1.0, HTTP/1.1 and HTTP/2"),
    LARGE_HEAD(431, "HEADERS_TOO_LARGE", "The request's head is too large (max-header-bytes)"),
    LONG_URL(414, "URL_TOO_LONG", "The URL is too long (max-url-bytes)"),
    LINE_END(400, "A line of the head ends with a carriage return alone; expected CR LF"),
    HEAD(
        400,
        "The request's head is malformed; expected 'METHOD target HTTP/1.1', and fields of the"
            + " form 'Name: value', each in a line that ends with CR LF"),
    HOST(400, "The request has no valid Host; expected one field with a name and, if any, a port"),
    FOLDED_LINE(400, "A header line begins with a space or a tab; expected each field in one line"),
    METHOD(501, "CONNECT and TRACE are not implemented"),
    LENGTH(400, "Content-Length is not valid; expected a number of at most 18 digits"),
    CODING_IN_1_0(400, "HTTP/1.0 has no Transfer-Encoding; send a Content-Length"),
    CODING_NOT_FINAL(400, "The last transfer coding must be chunked, and only the last"),
    CODING_UNKNOWN(501, "The only transfer coding here is chunked"),
    EXPECTATION(417, "The only expectation here is 100-continue"),
    CHUNK(400, "The chunked body is malformed; expected 'size CRLF data CRLF ... 0 CRLF CRLF'"),
    TRUNCATED_BODY(400, "The connection ended before the body did");

    private final int status;
    private final String code;
    private final String detail;

    Rule(int status, String detail) {
      this(status, HttpFault.MALFORMED_REQUEST, detail);
    }

    Rule(int status, String code, String detail) {
      this.status = status;
      this.code = code;
      this.detail = detail;
    }

    HttpFault fault() {
      return new HttpFault(status, code, detail, false);
    }
  }

  private StrictHttp() {}

  /** The first rule that the head breaks; null for none. */
  static @Nullable Rule broken(
      HttpServerExchange exchange, RequestInspector wire, int maxHeaderBytes) {
    if (!wire.versionKnown()) {
      return Rule.VERSION;
    }
    if (wire.folded()) {
      return Rule.FOLDED_LINE;
    }
    var fields = exchange.getRequestHeaders();
    if (fields.size() > MAX_FIELDS
        || (wire.headBytes() > maxHeaderBytes && largeHead(exchange, wire, maxHeaderBytes))) {
      return Rule.LARGE_HEAD;
    }
    var method = exchange.getRequestMethod();
    if (Methods.CONNECT.equals(method) || Methods.TRACE.equals(method)) {
      return Rule.METHOD;
    }
    var expectation = fields.getFirst(Headers.EXPECT);
    if (expectation != null && !expectation.equalsIgnoreCase("100-continue")) {
      return Rule.EXPECTATION;
    }
    var length = fields.getFirst(Headers.CONTENT_LENGTH);
    if (length != null && length.length() > MAX_LENGTH_DIGITS) {
      return Rule.LENGTH;
    }
    var coding = fields.getFirst(Headers.TRANSFER_ENCODING);
    return coding == null ? null : broken(exchange, coding.toLowerCase(Locale.ROOT));
  }

  /** The first rule that the head of a well-formed request of HTTP/2 breaks; null for none. */
  static @Nullable Rule broken(Http2Head head) {
    if (head.tooLarge()) {
      return Rule.LARGE_HEAD;
    }
    var method = head.method();
    if (method.equals("CONNECT") || method.equals("TRACE")) {
      return Rule.METHOD;
    }
    var expectation = head.fields().getFirst(Headers.EXPECT);
    return expectation == null || expectation.equalsIgnoreCase("100-continue")
        ? null
        : Rule.EXPECTATION;
  }

  /** The first character of a target that RFC 3986, section 2, does not allow; null for none. */
  static @Nullable HttpFault brokenTarget(String target) {
    for (int i = 0; i < target.length(); i++) {
      var c = target.charAt(i);
      var good = c == '%' ? isHex(target, i + 1) && isHex(target, i + 2) : isTargetCharacter(c);
      if (!good) {
        return new HttpFault(
            400,
            HttpFault.MALFORMED_REQUEST,
            "The URL has an invalid character or escape at position "
                + i
                + "; expected those of RFC 3986, others escaped as %XX",
            false);
      }
    }
    return null;
  }

  private static boolean isTargetCharacter(char c) {
    return (c >= '0' && c <= '9')
        || (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || TARGET_PUNCTUATION.indexOf(c) >= 0;
  }

  private static boolean isHex(String text, int at) {
    return at < text.length() && Character.digit(text.charAt(at), 16) >= 0;
  }

  /** Whether a list field has this member, in any case (RFC 9110, section 5.6.1). */
  static boolean lists(HttpServerExchange exchange, HttpString field, String member) {
    var lines = exchange.getRequestHeaders().get(field);
    var count = lines == null ? 0 : lines.size();
    for (int i = 0; i < count; i++) {
      var line = lines.get(i);
      if (line.equalsIgnoreCase(member) || (line.indexOf(',') >= 0 && lists(line, member))) {
        return true;
      }
    }
    return false;
  }

  private static boolean lists(String line, String member) {
    for (var each : line.split(",", -1)) {
      if (each.trim().equalsIgnoreCase(member)) {
        return true;
      }
    }
    return false;
  }

  /**
   * The host of a request of HTTP/1 that is not allowed; null for none. From now on, {@code Host}
   * is that of an absolute target, where the request has one (RFC 9112, section 3.2.2).
   */
  static @Nullable String foreignHost(HttpServerExchange exchange, AllowedHosts allowed) {
    var fields = exchange.getRequestHeaders();
    var foreign = foreign(fields.get(Headers.HOST), allowed);
    if (exchange.isHostIncludedInRequestURI()) {
      var authority = authority(exchange.getRequestURI());
      fields.put(Headers.HOST, authority);
      return foreign == null && !allowed.allows(authority) ? authority : foreign;
    }
    return foreign;
  }

  /**
   * The same of a request of HTTP/2, which has {@code :authority} or, as proxies of HTTP/1 send it,
   * {@code host} (RFC 9113, section 8.3.1). From now on, {@code Host} is the former.
   */
  static @Nullable String foreignHost(Http2Head head, AllowedHosts allowed) {
    var fields = head.fields();
    var foreign = foreign(fields.get(Headers.HOST), allowed);
    var authority = head.authority();
    if (authority == null) {
      return foreign;
    }
    fields.put(Headers.HOST, authority);
    return allowed.allows(authority) ? foreign : authority;
  }

  private static @Nullable String foreign(@Nullable HeaderValues hosts, AllowedHosts allowed) {
    if (hosts == null) {
      return null;
    }
    for (int i = 0; i < hosts.size(); i++) {
      if (!allowed.allows(hosts.get(i))) {
        return hosts.get(i);
      }
    }
    return null;
  }

  /** Of an absolute URI (RFC 3986, section 3.2). */
  private static String authority(String uri) {
    var from = uri.indexOf("//") + 2;
    var end = from;
    while (end < uri.length() && "/?#".indexOf(uri.charAt(end)) < 0) {
      end++;
    }
    return uri.substring(from, end);
  }

  /**
   * Whether an upgrade to HTTP/2 has what it must have: one field of settings, six bytes each, in
   * base64url (RFC 7540, section 3.2.1). Without it the request is served as it is; Undertow would
   * answer 500.
   */
  static boolean http2SettingsReadable(HttpServerExchange exchange) {
    var fields = exchange.getRequestHeaders().get("HTTP2-Settings");
    if (fields == null || fields.size() != 1) {
      return false;
    }
    try {
      return Base64.getUrlDecoder().decode(fields.getFirst()).length % 6 == 0;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static boolean largeHead(
      HttpServerExchange exchange, RequestInspector wire, int maxBytes) {
    var buffered = ((HttpServerConnection) exchange.getConnection()).getExtraBytes();
    var beyond = buffered == null ? 0 : buffered.getBuffer().remaining();
    return wire.headBytes() - beyond > maxBytes;
  }

  private static @Nullable Rule broken(HttpServerExchange exchange, String coding) {
    if (!Protocols.HTTP_1_1.equals(exchange.getProtocol())) {
      return Rule.CODING_IN_1_0;
    }
    if (coding.equals("chunked")) {
      return null;
    }
    var codings = coding.split(",", -1);
    for (int i = 0; i < codings.length - 1; i++) {
      if (codings[i].isBlank() || codings[i].trim().equals("chunked")) {
        return Rule.CODING_NOT_FINAL;
      }
    }
    // One unknown coding alone is a matter of ability; a list without chunked at its end is not.
    return codings.length == 1 || codings[codings.length - 1].trim().equals("chunked")
        ? Rule.CODING_UNKNOWN
        : Rule.CODING_NOT_FINAL;
  }
}
