// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.response;

import dev.evita.api.ErrorCode;
import dev.evita.api.Row;
import dev.evita.externalapi.core.json.JsonShape;
import dev.evita.externalapi.core.json.JsonWriter;
import dev.evita.externalapi.core.limits.RowCounter;
import dev.evita.externalapi.rest.model.RestFailure;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes the rows of one answer in its format. Used by one thread at a time. */
public final class RowWriter {

  private final RowFormat format;
  private final JsonShape shape;
  private final @Nullable CsvWriter csv;
  private final @Nullable JsonWriter unstripped;
  private long rows;
  private long skip;
  private long most = Long.MAX_VALUE;

  public RowWriter(RowFormat format, JsonShape shape, List<EmbedLevel.Member> members) {
    this.format = format;
    this.shape = shape;
    this.unstripped = format.stripped() ? JsonWriter.inMemory() : null;
    this.csv = format == RowFormat.CSV ? new CsvWriter(members) : null;
  }

  /** Leaves out so many rows, and those behind so many others, where no engine does it. */
  public RowWriter window(long offset, long limit) {
    skip = offset;
    most = limit;
    return this;
  }

  /** What comes before the rows. */
  public void begin(JsonWriter out) {
    if (csv != null) {
      csv.header(out);
    } else if (format.array()) {
      out.raw('[');
    }
  }

  public void row(JsonWriter out, Row row, RowCounter counter) {
    if (skip > 0) {
      skip--;
      return;
    }
    if (rows == most) {
      return;
    }
    next(out);
    content(out, row, counter);
  }

  private void next(JsonWriter out) {
    if (format.array() && rows > 0) {
      out.raw(',');
    }
    rows++;
  }

  private void content(JsonWriter out, Row row, RowCounter counter) {
    if (csv != null) {
      csv.row(out, row, counter);
      return;
    }
    if (unstripped != null) {
      shape.write(unstripped, row, counter);
      out.raw(NullStripper.strip(unstripped.take()));
      return;
    }
    shape.write(out, row, counter);
    if (format == RowFormat.NDJSON) {
      out.raw('\n');
    }
  }

  /**
   * A row alone, for {@link #add}.
   *
   * @param scratch empty before and after
   */
  public byte[] render(JsonWriter scratch, Row row, RowCounter counter) {
    content(scratch, row, counter);
    return scratch.take();
  }

  /** What {@link #render} made comes next. */
  public void add(JsonWriter out, byte[] rendered) {
    next(out);
    out.raw(rendered);
  }

  /** What comes after the rows. */
  public void end(JsonWriter out) {
    if (format.array()) {
      out.raw(']');
    }
  }

  /** The tag of all that was written, which is all of the body. */
  public EntityTag tag(JsonWriter body) {
    return EntityTag.of(format, body);
  }

  /** How many were written. */
  public long rows() {
    return rows;
  }

  /** Whether one row more would be too many. */
  public boolean isFull() {
    return format.single() && rows > 0 && rows < most;
  }

  /**
   * Looks whether the rows, so many, are what the format can hold.
   *
   * @throws RestFailure PGRST116 for another number than one where an object is wanted
   */
  public void requireFitting(long count) {
    requireFitting(format, count);
  }

  /** The same of rows that are not written. */
  public static void requireFitting(RowFormat format, long count) {
    if (format.single() && count != 1) {
      throw new RestFailure(
          406,
          ErrorCode.NOT_ACCEPTABLE,
          "PGRST116",
          "Cannot coerce the result to a single JSON object",
          count == 0 ? "The result contains 0 rows" : "The result contains 2 rows or more",
          null);
    }
  }
}
