// SPDX-License-Identifier: Apache-2.0
package dev.evita.server;

import dev.evita.api.EvitaException;
import java.util.Map;
import java.util.concurrent.Callable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * The command line. Errors that the user can correct are reported by one line on standard error and
 * the exit status {@link #REFUSED}, never by a stack trace.
 */
final class Commands {

  /** The exit status of errors that the user can correct. */
  static final int REFUSED = 2;

  private static final int FAULT = 1;
  private static final Logger LOG = LoggerFactory.getLogger(Commands.class);

  private final Terminal terminal;
  private final CommandLine commandLine;

  Commands(Terminal terminal, Map<String, String> environment, ShutdownSequence lifetime) {
    this.terminal = terminal;
    var keys = new ConfigurationKeys(Configuration.DEFAULT);
    var sources = new ConfigurationSources(keys, environment);
    var session = new ServeSession(terminal, lifetime);
    var root = spec("evita", this::missingCommand);
    root.usageMessage()
        .description("GraphQL, REST and gRPC over a database, in the database's own process.");
    root.version("evita " + Version.text());
    root.addSubcommand("demo", new DemoCommand(keys, sources, session, environment).spec());
    root.addSubcommand("explain", new ExplainCommand(keys, sources, session).spec());
    root.addSubcommand("serve", new ServeCommand(keys, sources, session).spec());
    commandLine =
        new CommandLine(root)
            .setOut(terminal.out())
            .setErr(terminal.err())
            .setExpandAtFiles(false)
            .setUsageHelpWidth(100)
            .setParameterExceptionHandler(this::misused)
            .setExecutionExceptionHandler(this::failed);
  }

  /** Creates a command whose only own options are {@code --help} and {@code --version}. */
  static CommandSpec spec(String name, Callable<Integer> action) {
    var spec = CommandSpec.wrapWithoutInspection(action).name(name).mixinStandardHelpOptions(true);
    spec.usageMessage().sortOptions(false).abbreviateSynopsis(true);
    return spec;
  }

  /** Runs the command given by the arguments; returns the exit status. */
  int run(String... arguments) {
    return commandLine.execute(arguments);
  }

  private int missingCommand() {
    return refuse("no command given; use 'evita demo', 'evita serve --db URL' or 'evita --help'");
  }

  private int misused(ParameterException e, String[] arguments) {
    var command = e.getCommandLine().getCommandSpec().qualifiedName();
    var message = message(e);
    var link = message.endsWith("?") ? " See '" : "; see '";
    return refuse(message + link + command + " --help'");
  }

  private static String message(ParameterException e) {
    if (!(e instanceof UnmatchedArgumentException unmatched)) {
      return String.valueOf(e.getMessage());
    }
    var word = unmatched.getUnmatched().getFirst();
    var spec = e.getCommandLine().getCommandSpec();
    var known = word.startsWith("-") ? spec.optionsMap().keySet() : spec.subcommands().keySet();
    var name = word.split("=", 2)[0];
    var hint =
        SpellingSuggestion.to(name, known).map(near -> "; did you mean " + near + "?").orElse("");
    return (word.startsWith("-") ? "unknown option " : "unknown argument ") + name + hint;
  }

  private int failed(Exception e, CommandLine command, ParseResult arguments) {
    if (e instanceof EvitaException evita) {
      return refuse(OperatorMessage.of(evita));
    }
    LOG.error("Internal error; please report it", e);
    return FAULT;
  }

  private int refuse(String message) {
    terminal.err().println("evita: " + message.replaceAll("\\s*\\R\\s*", " "));
    return REFUSED;
  }
}
