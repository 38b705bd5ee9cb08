// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.sql.run;

import dev.evita.externalapi.sql.declaration.RoutePattern;
import dev.evita.externalapi.sql.inputs.RequestInputs;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Finds the handlers of a path: a tree of segments, so that the time depends on the length of the
 * path, not on the number of routes. Immutable.
 *
 * <p>Handlers that match are ordered by priority, the highest first; then by their patterns,
 * segment by segment from the left: a literal before a group, a group before the rest; then by
 * name.
 */
public final class RouteTable {

  /**
   * A handler under one of its patterns.
   *
   * @param rank its place in the order of all
   */
  public record Entry(RoutePattern pattern, Handler handler, int rank) {

    boolean allows(String method) {
      var own = pattern.method();
      return own == null || own.equals(method) || (method.equals("HEAD") && own.equals("GET"));
    }
  }

  /** A handler, and the segments of the path that its pattern matches. */
  public record Match(Entry entry, String[] segments) implements RequestInputs.GroupValues {

    public Handler handler() {
      return entry.handler();
    }

    @Override
    public String group(String name) {
      var own = entry.pattern().segments();
      for (int i = 0; i < own.size(); i++) {
        if (own.get(i).text().equals(name) && own.get(i).kind() != RoutePattern.Kind.LITERAL) {
          return own.get(i).kind() == RoutePattern.Kind.GROUP
              ? segments[i]
              : String.join("/", Arrays.asList(segments).subList(i, segments.length));
        }
      }
      throw new IllegalArgumentException("no group " + name);
    }
  }

  private static final Comparator<Entry> ORDER =
      Comparator.comparingInt((Entry entry) -> entry.handler().priority())
          .reversed()
          .thenComparing(Entry::pattern, RouteTable::bySegments)
          .thenComparing(entry -> entry.handler().name());

  private static final class Node {
    private final Map<String, Node> literals = new HashMap<>();
    private @Nullable Node group;
    private final List<Entry> ends = new ArrayList<>();
    private final List<Entry> rests = new ArrayList<>();
  }

  private static final Comparator<Match> BY_RANK =
      Comparator.comparingInt(match -> match.entry().rank());

  private final boolean empty;
  private final Node root = new Node();

  public RouteTable(List<? extends Handler> handlers) {
    var all = new ArrayList<Entry>();
    for (var handler : handlers) {
      handler.routes().forEach(route -> all.add(new Entry(route, handler, 0)));
    }
    all.sort(ORDER);
    empty = all.isEmpty();
    for (int rank = 0; rank < all.size(); rank++) {
      add(new Entry(all.get(rank).pattern(), all.get(rank).handler(), rank));
    }
  }

  private static int bySegments(RoutePattern one, RoutePattern other) {
    var shorter = Math.min(one.segments().size(), other.segments().size());
    for (int i = 0; i < shorter; i++) {
      var order = one.segments().get(i).kind().compareTo(other.segments().get(i).kind());
      if (order != 0) {
        return order;
      }
    }
    return Integer.compare(other.segments().size(), one.segments().size());
  }

  private void add(Entry entry) {
    var node = root;
    for (var segment : entry.pattern().segments()) {
      switch (segment.kind()) {
        case LITERAL -> node = node.literals.computeIfAbsent(segment.text(), text -> new Node());
        case GROUP -> {
          var group = node.group == null ? new Node() : node.group;
          node.group = group;
          node = group;
        }
        case REST -> {
          node.rests.add(entry);
          return;
        }
      }
    }
    node.ends.add(entry);
  }

  /** Whether there is no route. */
  public boolean isEmpty() {
    return empty;
  }

  /** The handlers of a request, in the order in which they run. */
  public List<Match> match(String method, String[] segments) {
    var matches = new ArrayList<Match>(2);
    each(
        segments,
        entry -> {
          if (entry.allows(method)) {
            matches.add(new Match(entry, segments));
          }
        });
    matches.sort(BY_RANK);
    return matches;
  }

  /** The methods that the routes of a path name; empty if no route has the path. */
  public Set<String> methods(String[] segments) {
    var methods = new TreeSet<String>();
    each(
        segments,
        entry -> {
          var method = entry.pattern().method();
          if (method != null) {
            methods.add(method);
          }
        });
    if (methods.contains("GET")) {
      methods.add("HEAD");
    }
    return methods;
  }

  private void each(String[] segments, Consumer<Entry> found) {
    if (!empty) {
      each(root, segments, 0, found);
    }
  }

  private static void each(Node node, String[] segments, int depth, Consumer<Entry> found) {
    if (depth == segments.length) {
      node.ends.forEach(found);
      return;
    }
    node.rests.forEach(found);
    var literal = node.literals.get(segments[depth]);
    if (literal != null) {
      each(literal, segments, depth + 1, found);
    }
    if (node.group != null && !segments[depth].isEmpty()) {
      each(node.group, segments, depth + 1, found);
    }
  }
}
