// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.run;

import dev.evita.api.Arguments;
import dev.evita.api.Prepared;
import dev.evita.api.RowShape;
import dev.evita.api.RowSink;
import dev.evita.api.Script;
import dev.evita.api.Transaction;
import dev.evita.engine.jdbc.dialect.JdbcErrors;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A script, split into its statements. */
public final class PreparedScript implements Prepared {

  private final EngineContext backend;
  private final Script script;
  private final List<ScriptSplitter.Part> parts;

  public PreparedScript(EngineContext backend, Script script) {
    this.backend = backend;
    this.script = script;
    var keepsSession = backend.dialect().sessions().keepsSession();
    this.parts = ScriptSplitter.split(script.text(), backend.dialect(), !keepsSession);
    if (!keepsSession) {
      SessionStatements.reject(parts);
    }
    var expected = parts.stream().mapToInt(ScriptSplitter.Part::parameters).sum();
    if (expected != script.parameters().size()) {
      throw JdbcErrors.invalid(
          "the script has %d placeholders, but %d parameters"
              .formatted(expected, script.parameters().size()));
    }
  }

  @Override
  public Script operation() {
    return script;
  }

  @Override
  public RowShape shape() {
    return RowShape.NONE;
  }

  @Override
  public boolean bounded(Arguments arguments) {
    return false;
  }

  @Override
  public void run(Arguments arguments, @Nullable Transaction transaction, RowSink sink) {
    new ScriptExecution(
            backend, parts, script.parameters(), arguments, (JdbcTransaction) transaction, sink)
        .start();
  }
}
