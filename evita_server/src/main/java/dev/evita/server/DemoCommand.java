// SPDX-License-Identifier: Apache-2.0
package dev.evita.server;

import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** {@code evita demo}: creates a database on first start and serves it. */
final class DemoCommand {

  private static final Set<String> NOT_FOR_DEMO =
      Set.of("db", "user", "password", "init", "schemas");
  private static final String QUERY =
      "{ products(limit: 2, order_by: {id: asc}) { id name brand { name } prices { currency amount"
          + " } } }";

  private final CommandSpec spec = Commands.spec("demo", this::demo);
  private final KeyOptions options;
  private final ServeSession session;

  DemoCommand(
      ConfigurationKeys keys,
      ConfigurationSources sources,
      ServeSession session,
      Map<String, String> environment) {
    this.session = session;
    spec.addOption(
        OptionSpec.builder("--data")
            .paramLabel("<directory>")
            .type(Path.class)
            .defaultValue(standardDirectory(environment).toString())
            .description("The directory of the demo database. Default: ${DEFAULT-VALUE}")
            .build());
    options = new KeyOptions(spec, keys, key -> !NOT_FOR_DEMO.contains(key.name()), sources);
    spec.usageMessage()
        .description(
            "Creates an H2 database of a fictional shop on first start, and serves it until it is"
                + " stopped.");
  }

  /** Follows the XDG Base Directory Specification. */
  private static Path standardDirectory(Map<String, String> environment) {
    var data = environment.get("XDG_DATA_HOME");
    var base =
        data == null || !data.startsWith("/")
            ? Path.of(System.getProperty("user.home"), ".local", "share")
            : Path.of(data);
    return base.resolve("evita").resolve("demo");
  }

  CommandSpec spec() {
    return spec;
  }

  private int demo() {
    var configuration = options.configuration();
    Path directory = spec.commandLine().getParseResult().matchedOptionValue("--data", null);
    var path = directory == null ? spec.findOption("--data").<Path>getValue() : directory;
    var database = session.lifetime().add(DemoDatabase.in(path.toAbsolutePath()));
    if (database.missing()) {
      database.create(
          new ProgressReport(session.terminal(), "Making the demo", DemoData.ROWS_ABOUT));
    }
    var sql = DemoHandlers.in(path.toAbsolutePath(), configuration.sql());
    return session.serve(session.open(database.options()), configuration.withSql(sql), QUERY);
  }
}
