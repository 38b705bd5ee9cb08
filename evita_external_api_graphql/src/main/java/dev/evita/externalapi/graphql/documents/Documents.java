// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.documents;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.error.HttpErrorCode;
import dev.evita.externalapi.graphql.request.GraphQlError;
import dev.evita.externalapi.graphql.request.GraphQlErrorCode;
import dev.evita.externalapi.graphql.request.RequestError;
import dev.evita.externalapi.graphql.schema.GraphQlSchema;
import graphql.language.Document;
import graphql.language.Field;
import graphql.language.OperationDefinition;
import graphql.language.SourceLocation;
import graphql.parser.InvalidSyntaxException;
import graphql.parser.Parser;
import graphql.parser.ParserEnvironment;
import graphql.parser.ParserOptions;
import graphql.parser.ParsingListener;
import graphql.parser.exceptions.ParseCancelledException;
import graphql.parser.exceptions.ParseCancelledTooDeepException;
import graphql.validation.GoodFaithIntrospectionExceeded;
import graphql.validation.QueryComplexityLimits;
import graphql.validation.ValidationError;
import graphql.validation.ValidationErrorType;
import graphql.validation.Validator;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Parses and validates documents with graphql-java, within limits. Thread-safe. */
final class Documents {

  private static final int MAX_CHARACTERS = 1 << 20;
  private static final int MAX_TOKENS = 50_000;
  private static final int MAX_FIELDS = 20_000;

  /** Parsing a number takes time quadratic in its length. */
  private static final int MAX_DIGITS = 1_000;

  private static final Pattern PREFIX = Pattern.compile("^Validation error \\([^)]*\\) ?: ");
  private static final Pattern VALUE_DUMP =
      Pattern.compile(
          " with value '.*?\\}' (is not|must|is missing|contains a field)", Pattern.DOTALL);

  private final GraphQlSchema api;
  private final TypeAliases aliases;
  private final boolean introspection;
  private final ParserOptions options =
      ParserOptions.newParserOptions()
          .captureIgnoredChars(false)
          .captureLineComments(false)
          .readerTrackData(false)
          .maxCharacters(MAX_CHARACTERS)
          .maxTokens(MAX_TOKENS)
          .parsingListener(Documents::requireShortNumber)
          .build();

  Documents(GraphQlSchema api, boolean introspection) {
    this.api = api;
    this.aliases = new TypeAliases(api.schema());
    this.introspection = introspection;
  }

  /**
   * Parses without validating, to determine the kinds of operations.
   *
   * @throws RequestError {@code INVALID_DOCUMENT}, {@code TOO_DEEP}
   */
  Document parse(String text) {
    try {
      var environment =
          ParserEnvironment.newParserEnvironment().document(text).parserOptions(options).build();
      return new Parser().parseDocument(environment);
    } catch (ParseCancelledTooDeepException e) {
      throw syntax(HttpErrorCode.TOO_DEEP, e, "The document is nested too deeply to be read");
    } catch (ParseCancelledException e) {
      throw syntax(
          GraphQlErrorCode.INVALID_DOCUMENT,
          e,
          "The document is longer than " + MAX_TOKENS + " tokens; pass values as variables");
    } catch (InvalidSyntaxException e) {
      throw syntax(GraphQlErrorCode.INVALID_DOCUMENT, e, e.getMessage());
    }
  }

  private static void requireShortNumber(ParsingListener.Token token) {
    var text = token.getText();
    if (text.length() > MAX_DIGITS
        && (Character.isDigit(text.charAt(0)) || text.charAt(0) == '-')) {
      var at = new SourceLocation(token.getLine(), token.getCharPositionInLine() + 1);
      var message =
          "A number has %d characters; at most %d are read".formatted(text.length(), MAX_DIGITS);
      throw new RequestError(
          List.of(
              new GraphQlError(
                  GraphQlErrorCode.INVALID_DOCUMENT, message, List.of(at), List.of())));
    }
  }

  private static RequestError syntax(
      EvitaException.Code code, InvalidSyntaxException e, @Nullable String message) {
    var at = e.getLocation();
    var text = message == null ? "The document is not GraphQL" : message;
    return new RequestError(
        List.of(new GraphQlError(code, text, at == null ? List.of() : List.of(at), List.of())));
  }

  /**
   * Returns a document that is valid for the schema.
   *
   * @throws RequestError {@code INVALID_DOCUMENT}, {@code INVALID_VALUE}, {@code TOO_DEEP}, with
   *     all errors
   */
  CompiledDocument compile(String text) {
    var document = aliases.resolve(parse(text));
    SubscriptionRoot.requireUnconditional(document);
    var problems = validate(document);
    if (!problems.isEmpty()) {
      throw new RequestError(problems.stream().map(Documents::error).toList());
    }
    if (!introspection) {
      refuseIntrospection(document);
    }
    return new CompiledDocument(api, document, text.length());
  }

  private List<ValidationError> validate(Document document) {
    var limits =
        QueryComplexityLimits.newLimits()
            .maxDepth(api.depthLimit().levels())
            .maxFieldsCount(MAX_FIELDS)
            .build();
    try {
      return new Validator()
          .validateDocument(api.schema(), document, rule -> true, Locale.ENGLISH, limits);
    } catch (GoodFaithIntrospectionExceeded e) {
      // A short document of nested introspection can produce gigabytes.
      throw RequestError.of(GraphQlErrorCode.INVALID_DOCUMENT, e.toBadFaithError().getMessage());
    }
  }

  private static GraphQlError error(ValidationError problem) {
    var locations =
        problem.getLocations() == null ? List.<SourceLocation>of() : problem.getLocations();
    return new GraphQlError(code(problem), message(problem), locations, List.of());
  }

  /**
   * Returns the message without the dump of a whole argument, and without the part that repeats the
   * code.
   */
  private static String message(ValidationError problem) {
    var message = VALUE_DUMP.matcher(problem.getMessage()).replaceFirst(" $1");
    return PREFIX.matcher(message).replaceFirst("");
  }

  private static EvitaException.Code code(ValidationError problem) {
    if (problem.getValidationErrorType() == ValidationErrorType.MaxQueryDepthExceeded) {
      return HttpErrorCode.TOO_DEEP;
    }
    if (problem.getValidationErrorType() == ValidationErrorType.WrongType) {
      return ErrorCode.INVALID_VALUE;
    }
    return GraphQlErrorCode.INVALID_DOCUMENT;
  }

  private static void refuseIntrospection(Document document) {
    var fields = new ArrayList<Field>();
    for (graphql.language.Node<?> definition : document.getDefinitions()) {
      collect(definition, fields);
    }
    for (var field : fields) {
      if (field.getName().equals("__schema") || field.getName().equals("__type")) {
        throw RequestError.at(
            new EvitaException(
                GraphQlErrorCode.INTROSPECTION_DISABLED,
                "Introspection is switched off on this server (introspection: false)"),
            field.getSourceLocation(),
            List.of());
      }
    }
  }

  private static void collect(graphql.language.Node<?> node, List<Field> into) {
    if (node instanceof Field field) {
      into.add(field);
    }
    for (graphql.language.Node<?> child : node.getChildren()) {
      collect(child, into);
    }
  }

  /** Whether the selected operation is a mutation, which is rejected by {@code GET}. */
  boolean mutates(String text, @Nullable String name) {
    for (var operation : parse(text).getDefinitionsOfType(OperationDefinition.class)) {
      if (operation.getOperation() == OperationDefinition.Operation.MUTATION
          && (name == null || name.equals(operation.getName()))) {
        return true;
      }
    }
    return false;
  }
}
