// SPDX-License-Identifier: Apache-2.0
package dev.evita.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class CommandsTest {

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "|no command given",
        "sevre|unknown argument sevre; did you mean serve? See 'evita --help'",
        "serve|no database given; use --db, EVITA_DB or 'db:' in the configuration file",
        "serve extra|unknown argument extra; see 'evita serve --help'",
        "serve --prot=1|unknown option --prot; did you mean --port? See 'evita serve --help'",
        "serve --port|Missing required parameter for option '--port'",
        "serve --port 1 --port 2|option '--port' (<number>) should be specified only once",
        "serve --port x|port is 'x' (flag --port); expected a whole number",
        "serve --config absent.yaml|there is no configuration file absent.yaml",
        "serve --db x|db is not a JDBC URL; expected for example jdbc:postgresql://localhost/shop",
        "serve --db jdbc:oracle:thin|db is a JDBC URL of 'oracle'; expected one of h2, sqlite",
        "serve --db jdbc:sqlite:absent.db|there is no database file absent.db; check --db",
        "serve --db jdbc:h2:./absent|there is no database file ./absent.mv.db; check --db",
        "serve --db jdbc:h2:file:./absent;MODE=MySQL|there is no database file ./absent.mv.db",
        "serve --db jdbc:h2:mem:x --init absent.sql|there is no init script absent.sql; check --init",
        "demo --db jdbc:h2:mem:x|unknown option --db",
      })
  void run_mistake_isOneLineAndStatusTwo(String arguments, String message) {
    var status = run(arguments == null ? new String[0] : arguments.split(" "));

    assertThat(status).isEqualTo(2);
    assertThat(err.toString()).startsWith("evita: ").contains(message);
    assertThat(err.toString().lines()).hasSize(1);
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void help_ofServe_namesEveryKeyWithItsDefault() {
    assertThat(run("serve", "--help")).isZero();
    for (var key : new ConfigurationKeys(Configuration.DEFAULT).all()) {
      assertThat(out.toString()).contains(key.flag());
    }
    assertThat(out.toString()).contains("Default: 5555").contains("--config").contains("--help");
  }

  @Test
  void help_ofEvita_namesCommands() {
    assertThat(run("--help")).isZero();
    assertThat(out.toString()).contains("serve").contains("demo");
  }

  @Test
  void version_asked_isOneLine() {
    assertThat(run("--version")).isZero();
    assertThat(out.toString().lines()).hasSize(1).first().asString().startsWith("evita ");
  }

  private int run(String... arguments) {
    var terminal = new Terminal(new PrintWriter(out, true), new PrintWriter(err, true), false);
    return new Commands(terminal, Map.of(), new ShutdownSequence()).run(arguments);
  }
}
