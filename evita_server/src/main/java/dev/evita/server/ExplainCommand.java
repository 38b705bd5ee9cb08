// SPDX-License-Identifier: Apache-2.0
package dev.evita.server;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.externalapi.sql.HandlerExplanation;
import java.util.List;
import java.util.regex.Pattern;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** {@code evita explain}: shows the handlers of a request, their SQL and the database's plans. */
final class ExplainCommand {

  private static final Pattern METHOD = Pattern.compile("[A-Z]+");

  private final CommandSpec spec = Commands.spec("explain", this::explain);
  private final KeyOptions options;
  private final ServeSession session;

  ExplainCommand(ConfigurationKeys keys, ConfigurationSources sources, ServeSession session) {
    this.session = session;
    spec.addPositional(
        PositionalParamSpec.builder()
            .index("0..1")
            .arity("1..2")
            .type(List.class)
            .auxiliaryTypes(String.class)
            .paramLabel("[<method>] <path>")
            .description("The request, for example GET /users/johndoe")
            .build());
    options = new KeyOptions(spec, keys, key -> true, sources);
    spec.usageMessage()
        .description(
            "Shows the HTTP handlers that a request matches, their SQL, the database's plans and the"
                + " time. Handlers that may write are not executed.");
  }

  CommandSpec spec() {
    return spec;
  }

  private int explain() {
    var configuration = options.configuration();
    List<String> words = spec.commandLine().getParseResult().matchedPositionalValue(0, List.of());
    var method = words.size() == 2 ? words.getFirst() : "GET";
    var target = words.isEmpty() ? "" : words.getLast();
    if (!METHOD.matcher(method).matches() || !target.startsWith("/")) {
      throw new EvitaException(
          ErrorCode.INVALID_CONFIGURATION,
          "'"
              + String.join(" ", words)
              + "' is no request; expected GET /users/johndoe or the like");
    }
    if (configuration.database().db() == null) {
      throw new EvitaException(
          ErrorCode.INVALID_CONFIGURATION,
          "no database given; use --db, EVITA_DB or 'db:' in the configuration file");
    }
    var engine = session.open(configuration.database());
    engine.refresh();
    print(
        method + " " + target, HandlerExplanation.of(engine, configuration.sql(), method, target));
    return 0;
  }

  private void print(String request, List<HandlerExplanation> handlers) {
    var out = session.terminal().out();
    if (handlers.isEmpty()) {
      out.printf("%s: no handler matches%n", request);
    }
    for (var each : handlers) {
      out.printf("%s (%s, priority %d)%n", each.handler(), each.route(), each.priority());
      if (each.statements().isEmpty()) {
        out.printf("  not for this request: a path group is not of its type%n");
      }
      for (var statement : each.statements()) {
        indented("  ", statement.statement());
        out.printf("  plan:%n");
        indented("    ", statement.plan());
      }
      var time = each.time();
      if (time != null) {
        var status = each.status();
        out.printf(
            "  time: %.3f ms, %s%n",
            time.toNanos() / 1e6, status == null ? "no row" : "status " + status);
      } else if (!each.statements().isEmpty()) {
        out.printf("  not executed, as it may write%n");
      }
    }
    out.flush();
  }

  private void indented(String indent, String text) {
    text.lines().forEach(line -> session.terminal().out().println(indent + line));
  }
}
