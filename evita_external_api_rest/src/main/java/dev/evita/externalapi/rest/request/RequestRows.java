// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.request;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import dev.evita.api.Column;
import dev.evita.externalapi.core.error.HttpErrorCode;
import dev.evita.externalapi.core.exchange.JsonTree;
import dev.evita.externalapi.core.exchange.RequestBody;
import dev.evita.externalapi.core.web.MediaTypes;
import dev.evita.externalapi.rest.model.RestFailure;
import dev.evita.externalapi.rest.model.RestValues;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/**
 * The rows of a request's body, by the API names of their columns.
 *
 * @param columns the columns of the first row, or of {@code columns=}
 * @param rows one value for each name at most: as JSON has it, or a text of CSV or a form
 * @param texts whether the values are texts
 * @param chosen whether the columns are those of {@code columns=}, so that a row may leave some out
 */
public record RequestRows(
    Set<String> columns, List<Map<String, @Nullable Object>> rows, boolean texts, boolean chosen) {

  private static final String NULL = "NULL";
  private static final String FORM = "application/x-www-form-urlencoded";

  /**
   * Parses a body of JSON (an object or an array of them), of CSV (with a header line) or of a form
   * (one row).
   *
   * @param only the columns to read; null for those of the first row
   * @throws RestFailure PGRST102 for a body that cannot be read, 415 for another media type
   */
  static RequestRows read(
      @Nullable String contentType, RequestBody body, @Nullable Set<String> only) {
    if (MediaTypes.is(contentType, FORM)) {
      var row = form(body.text());
      return new RequestRows(only == null ? row.keySet() : only, List.of(row), true, only != null);
    }
    return isCsv(contentType) ? csv(body.text(), only) : json(tree(body), only);
  }

  /** Returns the fields of a form: a text for each name. */
  private static Map<String, @Nullable Object> form(String body) {
    var row = new LinkedHashMap<String, @Nullable Object>();
    QueryText.read(body, row::put);
    return row;
  }

  /** Converts parsed JSON, which holds CSV as a text. */
  public static RequestRows of(
      @Nullable String contentType, @Nullable Object body, @Nullable Set<String> only) {
    return isCsv(contentType) ? csv(String.valueOf(body), only) : json(body, only);
  }

  /**
   * Parses a body of JSON, or a form's as an object of texts; null if it is empty.
   *
   * @throws RestFailure as {@link #read}
   */
  static @Nullable Object tree(@Nullable String contentType, RequestBody body) {
    if (MediaTypes.is(contentType, FORM)) {
      return form(body.text());
    }
    if (contentType != null && !MediaTypes.is(contentType, "application/json")) {
      throw unsupported(contentType, "It comes as application/json or " + FORM);
    }
    if (body.length() == 0) {
      return null;
    }
    var tree = tree(body);
    if (tree == null) {
      throw malformed("expected an object rather than null");
    }
    return tree;
  }

  private static RestFailure unsupported(String contentType, String hint) {
    return new RestFailure(
        415,
        HttpErrorCode.UNSUPPORTED_MEDIA_TYPE,
        "PGRST102",
        "Content-Type not acceptable: " + RestFailure.shortened(contentType),
        null,
        hint);
  }

  private static boolean isCsv(@Nullable String contentType) {
    if (contentType == null || MediaTypes.is(contentType, "application/json")) {
      return false;
    }
    if (MediaTypes.is(contentType, "text/csv")) {
      return true;
    }
    throw unsupported(contentType, "Rows come as application/json, text/csv or " + FORM);
  }

  private static RequestRows json(@Nullable Object tree, @Nullable Set<String> only) {
    var rows = new ArrayList<Map<String, @Nullable Object>>();
    switch (tree) {
      case Map<?, ?> row -> rows.add(object(row));
      case List<?> list -> list.forEach(row -> rows.add(object(row)));
      case null, default -> throw malformed("expected an object or an array of objects");
    }
    var first = rows.isEmpty() ? Set.<String>of() : rows.getFirst().keySet();
    return new RequestRows(only == null ? first : only, rows, false, only != null);
  }

  private static @Nullable Object tree(RequestBody body) {
    try {
      return JsonTree.parseWhole(body);
    } catch (JacksonException e) {
      throw malformed(e.getOriginalMessage());
    }
  }

  @SuppressWarnings("unchecked") // the names of JSON's objects are texts
  private static Map<String, @Nullable Object> object(@Nullable Object row) {
    if (row instanceof Map<?, ?> map) {
      return (Map<String, @Nullable Object>) map;
    }
    throw malformed("expected an object for each row");
  }

  /** Whether a member of this name is read. */
  public boolean includes(String name) {
    return !chosen || columns.contains(name);
  }

  /**
   * Checks that all rows name the same columns, unless these were chosen.
   *
   * @throws RestFailure PGRST102
   */
  public void requireAlike() {
    if (!chosen && !rows.stream().allMatch(row -> row.keySet().equals(columns))) {
      throw unlike();
    }
  }

  /** The failure that not all rows name the same columns. */
  public static RestFailure unlike() {
    return new RestFailure(
        400,
        HttpErrorCode.MALFORMED_REQUEST,
        "PGRST102",
        "All object keys must match",
        null,
        "Name the columns by columns=, so that a row may leave some out");
  }

  private static RequestRows csv(String text, @Nullable Set<String> only) {
    var rows = new ArrayList<Map<String, @Nullable Object>>();
    // Quotes come in pairs, including escaped ones; otherwise the upload was truncated.
    if (text.chars().filter(c -> c == '"').count() % 2 != 0) {
      throw malformed("a quoted field of the CSV does not end");
    }
    var unmarked = text.startsWith("\uFEFF") ? text.substring(1) : text;
    var header = new LinkedHashSet<String>();
    try (var lines = CsvReader.builder().ofCsvRecord(unmarked);
        var reader = CsvReader.builder().ofNamedCsvRecord(unmarked)) {
      // Without a following row, the parser emits no record for it.
      lines.stream().limit(1).forEach(line -> header.addAll(line.getFields()));
      for (var record : reader) {
        if (record.getFieldCount() != record.getHeader().size()) {
          throw malformed("expected as many fields of CSV in each line as in the first");
        }
        var row = new LinkedHashMap<String, @Nullable Object>(record.getFieldsAsMap());
        row.replaceAll((name, value) -> NULL.equals(value) ? null : value);
        rows.add(row);
      }
    } catch (CsvParseException | java.io.IOException | IllegalStateException e) {
      throw malformed("expected CSV with a header line, and as many fields in each line");
    }
    return new RequestRows(only == null ? header : only, rows, true, only != null);
  }

  /**
   * Returns the value for a column.
   *
   * @param absent the value of a row that does not name it
   * @throws dev.evita.api.EvitaException {@code INVALID_VALUE}
   */
  public @Nullable Object value(
      Map<String, @Nullable Object> row, String name, Column column, @Nullable Object absent) {
    if (!row.containsKey(name)) {
      return absent;
    }
    var value = row.get(name);
    if (!texts) {
      return RestValues.coerce(column.type(), value, "'" + name + "'");
    }
    return value == null ? null : RestValues.parse(column.type(), value.toString());
  }

  private static RestFailure malformed(String why) {
    return new RestFailure(
        400,
        HttpErrorCode.MALFORMED_REQUEST,
        "PGRST102",
        "The body cannot be read: " + RestFailure.shortened(why),
        null,
        null);
  }
}
