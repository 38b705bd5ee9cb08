// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.batch;

import dev.evita.api.TransactionOptions.Isolation;
import dev.evita.externalapi.core.exchange.JsonTree;
import dev.evita.externalapi.core.json.JsonWriter;
import dev.evita.externalapi.core.transaction.TransactionExecution;
import dev.evita.externalapi.rest.request.Preferences;
import dev.evita.externalapi.rest.response.BufferedResponse;
import dev.evita.externalapi.rest.response.RowFormat;
import dev.evita.externalapi.rest.response.TransactionStep;
import dev.evita.externalapi.rest.writes.TransactionSteps;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Executes requests one after another in one transaction: all of them or none. Each is compiled
 * immediately before it is executed, since it may need the rows that earlier ones returned.
 */
public final class BatchStep implements TransactionStep {

  private final TransactionSteps members;
  private final List<BatchRequest> requests;
  private final BatchReferences references;
  private final List<BufferedResponse> responses = new ArrayList<>();
  private @Nullable TransactionStep current;
  private double cost;
  private Preferences preferences = Preferences.parse(null);

  /**
   * @throws RestFailure PGRST102 for invalid references
   */
  public BatchStep(TransactionSteps members, List<BatchRequest> requests) {
    this.members = members;
    this.requests = requests;
    this.references = new BatchReferences(requests);
  }

  @Override
  public Isolation isolation() {
    return requests.stream().anyMatch(TransactionSteps::hasCondition)
        ? Isolation.SERIALIZABLE
        : Isolation.DEFAULT;
  }

  @Override
  public @Nullable String place() {
    return responses.size() < requests.size() ? requests.get(responses.size()).id() : null;
  }

  @Override
  public TransactionExecution.@Nullable Statement next() {
    while (responses.size() < requests.size()) {
      var request = requests.get(responses.size());
      var member = current == null ? begin(request) : current;
      current = member;
      var next = member.next();
      if (next != null) {
        return next;
      }
      responses.add(end(request, member.response()));
      current = null;
    }
    return null;
  }

  private TransactionStep begin(BatchRequest request) {
    preferences = Preferences.parse(request.header("Prefer"));
    if (preferences.rollback() || request.header("Idempotency-Key") != null) {
      throw BatchRequest.malformed(
          "tx=rollback and Idempotency-Key apply to the whole batch; move them to the headers of the batch");
    }
    var referenced = references.isReferenced(request.id());
    var member =
        members.of(
            references.resolve(request), referenced ? preferences.representing() : preferences);
    cost += members.cost(member);
    members.requireAffordable(cost);
    return member;
  }

  private BufferedResponse end(BatchRequest request, BufferedResponse response) {
    if (!references.isReferenced(request.id())) {
      return response;
    }
    if (!isJson(response)) {
      throw BatchRequest.malformed("A request that is referenced must return JSON");
    }
    references.put(request.id(), JsonTree.parse(response.body()));
    var shown =
        request.method().equals("GET")
            || preferences.returned() == Preferences.Return.REPRESENTATION;
    return shown ? response : response.withoutBody();
  }

  private static boolean isJson(BufferedResponse response) {
    return response.contentType().contains("json") && !response.contentType().contains("ndjson");
  }

  @Override
  public BufferedResponse response() {
    var json = JsonWriter.inMemory();
    json.raw("{\"responses\":[");
    for (int i = 0; i < responses.size(); i++) {
      json.raw(i == 0 ? "{\"id\":" : ",{\"id\":");
      json.string(requests.get(i).id());
      write(json, responses.get(i));
    }
    json.raw("]}");
    return new BufferedResponse(200, RowFormat.JSON.contentType(), Map.of(), json.take());
  }

  private static void write(JsonWriter json, BufferedResponse response) {
    json.raw(",\"status\":").number(response.status());
    json.raw(",\"headers\":");
    var headers = new LinkedHashMap<String, Object>(response.headers());
    if (response.body().length > 0) {
      headers.put("Content-Type", response.contentType());
    }
    json.tree(headers);
    if (response.body().length > 0) {
      json.raw(",\"body\":");
      if (isJson(response)) {
        json.raw(response.body());
      } else {
        json.string(new String(response.body(), StandardCharsets.UTF_8));
      }
    }
    json.raw('}');
  }
}
