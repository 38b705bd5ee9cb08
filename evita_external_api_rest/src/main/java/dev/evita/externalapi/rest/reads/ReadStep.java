// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.reads;

import dev.evita.api.Arguments;
import dev.evita.api.Prepared;
import dev.evita.api.Row;
import dev.evita.externalapi.core.json.JsonWriter;
import dev.evita.externalapi.core.limits.Quota;
import dev.evita.externalapi.core.transaction.TransactionExecution;
import dev.evita.externalapi.rest.request.ReadQuery;
import dev.evita.externalapi.rest.request.RestRequest;
import dev.evita.externalapi.rest.request.RowWindow;
import dev.evita.externalapi.rest.response.BufferedResponse;
import dev.evita.externalapi.rest.response.EntityTag;
import dev.evita.externalapi.rest.response.RowFormat;
import dev.evita.externalapi.rest.response.RowWriter;
import dev.evita.externalapi.rest.response.TransactionStep;
import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;

/** Reads rows within a transaction, and buffers them. */
public final class ReadStep implements TransactionStep {

  private final ReadPlan plan;
  private final Arguments arguments;
  private final RowFormat format;
  private final RestRequest request;
  private final RowWindow window;
  private final @Nullable NextPageFinder pages;
  private final RowWriter writer;
  private final JsonWriter body = JsonWriter.inMemory();
  private boolean begun;
  private @Nullable RowCount counting;

  /**
   * @param request for the link to the next page
   * @throws dev.evita.api.EvitaException {@code INVALID_VALUE}, {@code TOO_COSTLY}
   */
  public ReadStep(ReadPlan plan, ReadQuery read, RowFormat format, RestRequest request) {
    this.plan = plan;
    this.arguments = plan.arguments(read.values());
    this.format = format;
    this.request = request;
    this.window = plan.window(read);
    this.pages = plan.keyset() == null ? null : new NextPageFinder(plan.keyset(), window.limit());
    this.writer = plan.writer(format, read);
  }

  @Override
  public double cost(int estimatedRows) {
    return plan.cost().with(arguments);
  }

  @Override
  public TransactionExecution.@Nullable Statement next() {
    var count = plan.count();
    if (count != null && counting == null) {
      counting = new RowCount(count, arguments, window);
      return counting;
    }
    if (begun) {
      return null;
    }
    begun = true;
    writer.begin(body);
    return new Reading();
  }

  @Override
  public BufferedResponse response() {
    var tag = tag();
    var total = counting == null ? RowWindow.UNKNOWN : counting.total();
    var headers = new LinkedHashMap<String, String>();
    headers.put("Content-Range", window.range(writer.rows(), total));
    headers.put("ETag", tag.text());
    var next = pages == null ? null : pages.link(request.path(), request.query());
    if (next != null) {
      headers.put("Link", next);
    }
    return new BufferedResponse(window.status(total), format.contentType(), headers, body.take());
  }

  /** Returns the entity tag of the rows read; to be called before {@link #response}. */
  public EntityTag tag() {
    return writer.tag(body);
  }

  /** Returns the number of rows read. */
  public long rows() {
    return writer.rows();
  }

  private final class Reading implements TransactionExecution.Statement {
    @Override
    public Prepared prepared() {
      return plan.rows();
    }

    @Override
    public Arguments arguments() {
      return arguments;
    }

    @Override
    public void row(Row row, Quota held) {
      if (pages != null && !pages.shows(row, writer.rows())) {
        return;
      }
      if (writer.isFull()) {
        writer.requireFitting(2);
      }
      held.count();
      var before = body.size();
      writer.row(body, row, held);
      held.hold(body.size() - before);
    }

    @Override
    public void completed(long affected) {
      writer.requireFitting(writer.rows());
      writer.end(body);
    }
  }
}
