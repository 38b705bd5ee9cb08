// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.openapi;

import static dev.evita.externalapi.rest.openapi.OpenApiTypes.object;

import dev.evita.api.Capability;
import dev.evita.externalapi.core.json.JsonWriter;
import dev.evita.externalapi.rest.model.RestModel;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An OpenAPI 3.1 document of the tables of one schema, or of all that a URL reaches without a
 * profile. Generation is deterministic: the same catalog yields the same bytes.
 *
 * @param json not to be changed
 * @param tag of these bytes, in quotes
 */
record OpenApiDocument(byte[] json, String tag) {

  private static final String DESCRIPTION =
      """
      Tables and views as resources, in PostgREST's dialect.

      A filter is `column=operator.value`, and `not.` before the operator negates it: `eq`, `neq`, \
      `gt`, `gte`, `lt`, `lte`, `like`, `ilike` (`*` stands for `%`), `match`, `imatch`, \
      `in.(1,2)`, `is.null`, `is.not_null`, `is.true`, `is.false`, `is.unknown`, `isdistinct`, and \
      where the database has them `cs`, `cd`, `ov`, `fts`, `plfts`, `phfts`, `wfts`. \
      `brand.name=eq.Acme` filters related rows. The members of a row are those that `select` \
      asks for, as it names them; their types hold where it casts nothing and gives no other value \
      a column's name.
      """;

  private static final String UNPACKAGED = "0";
  private static final int TAG_DIGITS = 32;

  /**
   * Generates the document.
   *
   * @param capabilities those of the engine
   * @param path the path below which the resources are
   * @param profile the schema, by its API name; null for what is reached without one
   * @throws RestFailure PGRST106 for an unknown schema
   */
  static OpenApiDocument of(
      RestModel model, Set<Capability> capabilities, String path, @Nullable String profile) {
    var json = JsonWriter.inMemory();
    json.tree(tree(model, capabilities, path, profile));
    var bytes = json.take();
    return new OpenApiDocument(bytes, tag(bytes));
  }

  private static Map<String, @Nullable Object> tree(
      RestModel model, Set<Capability> capabilities, String path, @Nullable String profile) {
    var shown = model.tables(profile);
    var names = new OpenApiTables(model.catalog(), capabilities, shown);
    var tables = new ArrayList<OpenApiTable>();
    shown.forEach((resource, table) -> {
      if (hasUrl(resource)) {
        var header = profile == null ? model.profile(resource, table) : profile;
        tables.add(new OpenApiTable(names, table, resource, header, profile != null));
      }
    });
    var paths = object();
    tables.forEach(table -> paths.put(table.path(), table.pathItem()));
    if (names.has(Capability.TRANSACTIONS)) {
      paths.put(OpenApiBatch.PATH, OpenApiBatch.pathItem());
    }
    var routines =
        names.has(Capability.ROUTINES) ? routines(model, profile) : List.<OpenApiRoutine>of();
    routines.forEach(routine -> paths.put(routine.path(), routine.pathItem()));
    var tags = new ArrayList<Object>(tables.stream().map(OpenApiTable::tag).toList());
    if (!routines.isEmpty()) {
      tags.add(OpenApiRoutine.tag());
    }
    return object(
        "openapi",
        "3.1.0",
        "info",
        info(model, profile),
        "servers",
        List.of(object("url", path)),
        "security",
        List.of(),
        "tags",
        tags,
        "paths",
        paths,
        "components",
        components(tables, routines));
  }

  private static List<OpenApiRoutine> routines(RestModel model, @Nullable String profile) {
    var names = new OpenApiNames();
    var routines = new ArrayList<OpenApiRoutine>();
    model
        .routines(profile)
        .forEach((name, all) -> {
          if (hasUrl(name)) {
            routines.add(new OpenApiRoutine(name, names.unique(name), all, profile));
          }
        });
    return routines;
  }

  /**
   * Whether a URL can name the resource: slashes and backslashes stay percent-encoded in a path, so
   * they cannot be distinguished from their escapes.
   */
  private static boolean hasUrl(String resource) {
    return resource.indexOf('/') < 0
        && resource.indexOf('\\') < 0
        && !resource.equals(OpenApiDocuments.NAME);
  }

  private static Map<String, @Nullable Object> info(RestModel model, @Nullable String profile) {
    var comment = model.comment(profile);
    var version = OpenApiDocument.class.getPackage().getImplementationVersion();
    return object(
        "title",
        profile == null ? "Evita REST" : "Evita REST: " + profile,
        "description",
        comment == null ? DESCRIPTION : comment + "\n\n" + DESCRIPTION,
        "version",
        Objects.requireNonNullElse(version, UNPACKAGED));
  }

  private static Map<String, @Nullable Object> components(
      List<OpenApiTable> tables, List<OpenApiRoutine> routines) {
    var schemas = object("Problem", OpenApiParts.problem());
    var parameters = object();
    var responses = object();
    OpenApiParts.addParameters(parameters);
    OpenApiParts.addResponses(responses);
    OpenApiBatch.addSchemas(schemas);
    for (var table : tables) {
      table.addSchemas(schemas);
      table.addParameters(parameters);
      table.addResponses(responses);
    }
    for (var routine : routines) {
      routine.addSchemas(schemas);
      routine.addResponses(responses);
    }
    return object(
        "schemas",
        schemas,
        "responses",
        responses,
        "parameters",
        parameters,
        "headers",
        OpenApiParts.allHeaders());
  }

  private static String tag(byte[] bytes) {
    try {
      var digest = MessageDigest.getInstance("SHA-256").digest(bytes);
      return '"' + HexFormat.of().formatHex(digest).substring(0, TAG_DIGITS) + '"';
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
