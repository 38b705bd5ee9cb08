// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest;

import dev.evita.api.ErrorCode;
import dev.evita.externalapi.core.EventStream;
import dev.evita.externalapi.core.MediaTypes;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** In which form rows are answered. */
enum RowFormat {
  /** An array of objects. */
  JSON("application/json", "; charset=utf-8", ""),
  /** One object; another number of rows is an error. */
  OBJECT("application/vnd.pgrst.object+json", "; charset=utf-8", "-object"),
  /** RFC 4180, with a header line. */
  CSV("text/csv", "; charset=utf-8", "-csv"),
  /** An object in each line. */
  NDJSON("application/x-ndjson", "", "-ndjson");

  private static final List<RowFormat> ALL = List.of(values());
  private static final List<String> OFFERED = ALL.stream().map(RowFormat::mediaType).toList();

  /** Older name. */
  private static final String OLD_OBJECT = "application/vnd.pgrst.object";

  private static final String WITHOUT_NULLS = "nulls=stripped";

  private final String mediaType;
  private final String contentType;
  private final String tagSuffix;

  RowFormat(String mediaType, String parameters, String tagSuffix) {
    this.mediaType = mediaType;
    this.contentType = mediaType + parameters;
    this.tagSuffix = tagSuffix;
  }

  String mediaType() {
    return mediaType;
  }

  String contentType() {
    return contentType;
  }

  /** What tells its entity tags from those of the same rows in another form. */
  String tagSuffix() {
    return tagSuffix;
  }

  /** Whether the client likes events better than any form of rows. */
  static boolean prefersEvents(@Nullable String accept) {
    if (accept == null || !accept.contains(EventStream.MEDIA_TYPE)) {
      return false;
    }
    var offered = new ArrayList<>(OFFERED);
    offered.add(EventStream.MEDIA_TYPE);
    return EventStream.MEDIA_TYPE.equals(MediaTypes.negotiate(accept, offered));
  }

  /**
   * The form that the client likes best.
   *
   * @throws RestFailure PGRST107 where it likes none
   */
  static RowFormat negotiate(@Nullable String accept) {
    if (accept != null && accept.contains(OLD_OBJECT)) {
      if (accept.contains(WITHOUT_NULLS)) {
        throw refused("Rows are not answered without their nulls, as " + WITHOUT_NULLS + " asks");
      }
      return OBJECT;
    }
    var chosen = MediaTypes.negotiate(accept, OFFERED);
    if (chosen == null) {
      throw refused(
          "None of these media types are available: "
              + RestFailure.shortened(Objects.requireNonNull(accept)));
    }
    return ALL.get(OFFERED.indexOf(chosen));
  }

  private static RestFailure refused(String message) {
    return new RestFailure(
        406,
        ErrorCode.NOT_ACCEPTABLE,
        "PGRST107",
        message,
        null,
        "Available are " + String.join(", ", OFFERED));
  }
}
