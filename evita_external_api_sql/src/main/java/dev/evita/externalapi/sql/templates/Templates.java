// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.sql.templates;

import com.samskivert.mustache.Mustache;
import com.samskivert.mustache.MustacheException;
import com.samskivert.mustache.Template;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.externalapi.sql.outcome.SqlErrorCode;
import java.io.StringReader;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Compiled templates by name. As Mustache specifies, a variable that the handler does not return is
 * empty. Values are escaped as HTML unless written as {@code {{{value}}}}. Immutable and
 * thread-safe.
 *
 * <p>Mustache by JMustache: its templates hold no code, it has no dependencies, and it escapes by
 * default.
 */
public final class Templates {

  /** No templates. */
  public static final Templates NONE = new Templates(Map.of());

  private final Map<String, String> texts;
  private final Map<String, Template> compiled = new LinkedHashMap<>();

  /**
   * Compiles templates, which may contain each other as {@code {{>name}}}.
   *
   * @throws EvitaException {@code INVALID_CONFIGURATION}, with name and cause
   */
  public Templates(Map<String, String> texts) {
    this.texts = Map.copyOf(texts);
    var compiler = Mustache.compiler().escapeHTML(true).defaultValue("").withLoader(this::partial);
    texts.forEach((name, text) -> {
      try {
        compiled.put(name, compiler.compile(text));
      } catch (MustacheException e) {
        throw new EvitaException(
            ErrorCode.INVALID_CONFIGURATION, "Template " + name + ": " + e.getMessage(), e);
      }
    });
  }

  private StringReader partial(String name) {
    var text = texts.get(name);
    if (text == null) {
      throw new MustacheException("it contains {{>" + name + "}}, but there is no such template");
    }
    return new StringReader(text);
  }

  /**
   * Renders a template.
   *
   * @param handler its name, for messages
   * @throws EvitaException {@code INVALID_HANDLER_RESPONSE} for an unknown template
   */
  public String render(String handler, String name, Map<String, @Nullable Object> variables) {
    var template = compiled.get(name);
    if (template == null) {
      throw invalid(
          handler, "names the template '" + name + "'; expected one of " + compiled.keySet(), null);
    }
    try {
      return template.execute(variables);
    } catch (MustacheException e) {
      throw invalid(handler, "uses the template '" + name + "': " + e.getMessage(), e);
    }
  }

  private static EvitaException invalid(
      String handler, String what, @Nullable MustacheException cause) {
    return new EvitaException(
        SqlErrorCode.INVALID_HANDLER_RESPONSE, "Handler " + handler + " " + what, cause);
  }
}
