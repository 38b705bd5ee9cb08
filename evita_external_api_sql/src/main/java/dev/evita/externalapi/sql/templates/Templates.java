// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.sql.templates;

import com.samskivert.mustache.Mustache;
import com.samskivert.mustache.MustacheException;
import com.samskivert.mustache.Template;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.externalapi.sql.outcome.SqlErrorCode;
import java.io.StringReader;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
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
    texts.keySet().forEach(this::check);
  }

  /** A partial that a template contains; always, if it is in no section. */
  private record Partial(String name, boolean always) {}

  /** Refuses unknown partials, and those that would contain themselves without an end. */
  private void check(String name) {
    for (var partial : partials(name)) {
      if (!compiled.containsKey(partial.name())) {
        throw fault(
            name,
            partial,
            "there is no such template; expected one of " + new TreeSet<>(compiled.keySet()));
      }
      if (partial.always() && reaches(partial.name(), name, new HashSet<>())) {
        throw fault(name, partial, "which contains this one again; put it into a section");
      }
    }
  }

  private boolean reaches(String from, String to, Set<String> seen) {
    return from.equals(to)
        || (seen.add(from)
            && partials(from).stream()
                .filter(partial -> partial.always() && compiled.containsKey(partial.name()))
                .anyMatch(partial -> reaches(partial.name(), to, seen)));
  }

  private Set<Partial> partials(String name) {
    var always = new LinkedHashSet<String>();
    var all = new LinkedHashSet<String>();
    var template = Objects.requireNonNull(compiled.get(name));
    template.visit(new Partials(always, false));
    template.visit(new Partials(all, true));
    return all.stream()
        .map(partial -> new Partial(partial, always.contains(partial)))
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  /** Collects the partials of a template, with those in its sections or without. */
  private record Partials(Set<String> found, boolean sections) implements Mustache.Visitor {

    @Override
    public void visitText(String text) {}

    @Override
    public void visitVariable(String name) {}

    @Override
    public boolean visitInclude(String name) {
      found.add(name);
      return false;
    }

    @Override
    public boolean visitParent(String name) {
      return visitInclude(name);
    }

    @Override
    public boolean visitSection(String name) {
      return sections;
    }

    @Override
    public boolean visitInvertedSection(String name) {
      return sections;
    }
  }

  private EvitaException fault(String name, Partial partial, String problem) {
    var text = texts.getOrDefault(name, "");
    var tag =
        Pattern.compile("\\{\\{>\\s*" + Pattern.quote(partial.name()) + "\\s*}}").matcher(text);
    var lines =
        tag.find() ? text.substring(0, tag.start()).chars().filter(c -> c == '\n').count() : 0;
    return new EvitaException(
        ErrorCode.INVALID_CONFIGURATION,
        "Template %s, line %d: it contains {{>%s}}, %s"
            .formatted(name, lines + 1, partial.name(), problem));
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
