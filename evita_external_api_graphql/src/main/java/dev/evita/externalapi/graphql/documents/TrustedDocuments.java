// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.documents;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.exchange.JsonTree;
import dev.evita.externalapi.graphql.request.GraphQlErrorCode;
import dev.evita.externalapi.graphql.request.GraphQlRequest;
import dev.evita.externalapi.graphql.request.RequestError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/**
 * The documents that the operator trusts, and no others. Read once, at start.
 *
 * <p>A file is a manifest: Relay's and GraphQL Code Generator's {@code {"<id>": "<document>"}}, or
 * Apollo's, with {@code operations} of {@code id} and {@code body}. A directory holds manifests
 * ({@code *.json}) and documents ({@code *.graphql}, {@code *.gql}), whose ids are their files'
 * names. Each document may also be named by its SHA-256.
 */
final class TrustedDocuments implements DocumentStore {

  private static final String KEY = "trusted-documents";

  private final Map<String, String> byId;
  private final Set<String> texts;

  private TrustedDocuments(Map<String, String> byId) {
    this.byId = Map.copyOf(byId);
    this.texts = Set.copyOf(new HashSet<>(byId.values()));
  }

  /**
   * Reads a manifest or a directory.
   *
   * @throws EvitaException {@code INVALID_CONFIGURATION}
   */
  static TrustedDocuments read(Path path) {
    var documents = new HashMap<String, String>();
    try {
      if (Files.isDirectory(path)) {
        try (Stream<Path> files = Files.list(path)) {
          for (var file : files.sorted().toList()) {
            add(file, documents);
          }
        }
      } else {
        add(manifest(path), path, documents);
      }
    } catch (IOException e) {
      throw invalid(path, "which cannot be read", e);
    }
    if (documents.isEmpty()) {
      throw invalid(path, "where no document is", null);
    }
    return new TrustedDocuments(documents);
  }

  private static void add(Path file, Map<String, String> into) throws IOException {
    var name = file.getFileName().toString();
    if (name.endsWith(".json")) {
      add(manifest(file), file, into);
    } else if (name.endsWith(".graphql") || name.endsWith(".gql")) {
      add(name.substring(0, name.lastIndexOf('.')), Files.readString(file), file, into);
    }
  }

  private static @Nullable Object manifest(Path file) throws IOException {
    try {
      return JsonTree.parse(Files.readAllBytes(file));
    } catch (JacksonException | EvitaException e) {
      throw invalid(file, "which is not JSON: " + e.getMessage(), e);
    }
  }

  private static void add(@Nullable Object manifest, Path file, Map<String, String> into) {
    if (!(manifest instanceof Map<?, ?> members)) {
      throw unexpected(file);
    }
    if (members.get("operations") instanceof Iterable<?> operations) {
      for (var operation : operations) {
        if (!(operation instanceof Map<?, ?> entry)
            || !(entry.get("id") instanceof String id)
            || !(entry.get("body") instanceof String body)) {
          throw unexpected(file);
        }
        add(id, body, file, into);
      }
      return;
    }
    members.forEach((id, text) -> {
      if (!(text instanceof String document)) {
        throw unexpected(file);
      }
      add(String.valueOf(id), document, file, into);
    });
  }

  private static void add(String id, String text, Path file, Map<String, String> into) {
    var before = into.put(GraphQlRequest.bare(id), text);
    if (before != null && !before.equals(text)) {
      throw invalid(file, "where '" + id + "' names a second document", null);
    }
    into.put(DocumentStore.sha256(text), text);
  }

  private static EvitaException unexpected(Path file) {
    return invalid(
        file,
        "which is no manifest; expected {\"<id>\": \"<document>\", ...} or"
            + " {\"operations\": [{\"id\": ..., \"body\": ...}, ...]}",
        null);
  }

  private static EvitaException invalid(Path path, String problem, @Nullable Throwable cause) {
    return new EvitaException(
        ErrorCode.INVALID_CONFIGURATION, KEY + " is '" + path + "', " + problem, cause);
  }

  @Override
  public String text(GraphQlRequest request) {
    var id = request.id();
    var query = request.query();
    if (id == null && query == null) {
      throw DocumentStore.noDocument();
    }
    var named = id == null ? query : byId.get(id);
    if (named == null || !texts.contains(named) || (query != null && !query.equals(named))) {
      throw RequestError.of(
          GraphQlErrorCode.DOCUMENT_NOT_TRUSTED,
          "The document is not among those that this server trusts"
              + (id == null ? "" : ": '" + id + "'")
              + "; ask its operator to add it");
    }
    return named;
  }

  @Override
  public void compiled(GraphQlRequest request, String text) {
    // Trusted documents are fixed at start.
  }
}
