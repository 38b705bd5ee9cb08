// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.response;

import dev.evita.externalapi.core.error.HttpErrorCode;
import dev.evita.externalapi.core.push.EventStream;
import dev.evita.externalapi.core.web.MediaTypes;
import dev.evita.externalapi.rest.model.RestFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The format of rows in a response. */
public enum RowFormat {
  /** An array of objects. */
  JSON("application/json", "; charset=utf-8", "", Form.ARRAY),
  /** One object; another number of rows is an error. */
  OBJECT("application/vnd.pgrst.object+json", "; charset=utf-8", "-object", Form.OBJECT),
  /** RFC 4180, with a header line. */
  CSV("text/csv", "; charset=utf-8", "-csv", Form.LINES),
  /** An object in each line. */
  NDJSON("application/x-ndjson", "", "-ndjson", Form.LINES),
  /** An array of objects without the members that are null. */
  STRIPPED_JSON(
      "application/vnd.pgrst.array+json",
      "; nulls=stripped; charset=utf-8",
      "-array-stripped",
      Form.ARRAY),
  /** One object without the members that are null. */
  STRIPPED_OBJECT(
      OBJECT.mediaType, "; nulls=stripped; charset=utf-8", "-object-stripped", Form.OBJECT);

  private enum Form {
    ARRAY,
    OBJECT,
    LINES
  }

  /** The formats that represent a row completely, in order of preference. */
  public static final List<RowFormat> WHOLE = List.of(JSON, OBJECT, CSV, NDJSON);

  /** The media type of an array without null members; without the parameter, it is one of JSON. */
  private static final List<String> OFFERED =
      Stream.concat(WHOLE.stream().map(RowFormat::mediaType), Stream.of(STRIPPED_JSON.mediaType))
          .toList();

  /** An older name of an object. */
  private static final Pattern OLD = Pattern.compile("application/vnd\\.pgrst\\.object(?!\\+)");

  private final String mediaType;
  private final String contentType;
  private final String tagSuffix;
  private final Form form;

  RowFormat(String mediaType, String parameters, String tagSuffix, Form form) {
    this.mediaType = mediaType;
    this.contentType = mediaType + parameters;
    this.tagSuffix = tagSuffix;
    this.form = form;
  }

  /** Whether rows are elements of an array. */
  boolean array() {
    return form == Form.ARRAY;
  }

  /** Whether it holds exactly one row. */
  public boolean single() {
    return form == Form.OBJECT;
  }

  /** Whether null members are left out. */
  boolean stripped() {
    return this == STRIPPED_JSON || this == STRIPPED_OBJECT;
  }

  /** Returns the corresponding format of a single value outside an array. */
  public RowFormat alone() {
    return switch (this) {
      case JSON -> OBJECT;
      case STRIPPED_JSON -> STRIPPED_OBJECT;
      case OBJECT, CSV, NDJSON, STRIPPED_OBJECT -> this;
    };
  }

  public String mediaType() {
    return mediaType;
  }

  public String contentType() {
    return contentType;
  }

  /**
   * The suffix that distinguishes its entity tags from those of the same rows in another format.
   */
  String tagSuffix() {
    return tagSuffix;
  }

  /** Whether the client prefers events to any format of rows. */
  public static boolean prefersEvents(@Nullable String accept) {
    if (accept == null || !accept.contains(EventStream.MEDIA_TYPE)) {
      return false;
    }
    var offered = new ArrayList<>(OFFERED);
    offered.add(EventStream.MEDIA_TYPE);
    return EventStream.MEDIA_TYPE.equals(MediaTypes.negotiate(accept, offered));
  }

  /**
   * Returns the format that the client prefers.
   *
   * @throws RestFailure PGRST107 if it accepts none
   */
  public static RowFormat negotiate(@Nullable String accept) {
    var known = accept == null ? null : OLD.matcher(accept).replaceAll(OBJECT.mediaType);
    var chosen = MediaTypes.negotiate(known, OFFERED);
    if (chosen == null) {
      throw refused(
          "None of these media types are available: "
              + RestFailure.shortened(Objects.requireNonNull(accept)));
    }
    var stripped = known != null && isStripped(known, chosen);
    if (chosen.equals(OBJECT.mediaType)) {
      return stripped ? STRIPPED_OBJECT : OBJECT;
    }
    if (chosen.equals(STRIPPED_JSON.mediaType)) {
      return stripped ? STRIPPED_JSON : JSON;
    }
    return WHOLE.get(OFFERED.indexOf(chosen));
  }

  private static boolean isStripped(String accept, String type) {
    return Stream.of(accept.split(",", -1))
        .anyMatch(range ->
            MediaTypes.is(range, type) && "stripped".equals(MediaTypes.parameter(range, "nulls")));
  }

  private static RestFailure refused(String message) {
    return new RestFailure(
        406,
        HttpErrorCode.NOT_ACCEPTABLE,
        "PGRST107",
        message,
        null,
        "Available are " + String.join(", ", OFFERED));
  }
}
