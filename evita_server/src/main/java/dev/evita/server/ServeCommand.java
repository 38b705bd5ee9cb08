// SPDX-License-Identifier: Apache-2.0
package dev.evita.server;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import picocli.CommandLine.Model.CommandSpec;

/** {@code evita serve}: serves a database that exists. */
final class ServeCommand {

  private final CommandSpec spec = Commands.spec("serve", this::serve);
  private final KeyOptions options;
  private final ServeSession session;

  ServeCommand(ConfigurationKeys keys, ConfigurationSources sources, ServeSession session) {
    this.session = session;
    options = new KeyOptions(spec, keys, key -> true, sources);
    spec.usageMessage().description("Serves a database until it is stopped.");
  }

  CommandSpec spec() {
    return spec;
  }

  private int serve() {
    var configuration = options.configuration();
    if (configuration.database().db() == null) {
      throw new EvitaException(
          ErrorCode.INVALID_CONFIGURATION,
          "no database given; use --db, EVITA_DB or 'db:' in the configuration file, for example"
              + " --db jdbc:postgresql://localhost/shop");
    }
    var engine = session.open(configuration.database());
    return session.serve(engine, configuration, SampleQuery.of(engine.catalog()));
  }
}
