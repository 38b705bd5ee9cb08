// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evita.engine.jdbc.h2.H2Dialect;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ScriptSplitterTest {

  private static List<ScriptSplitter.Part> split(String text) {
    return ScriptSplitter.split(text, H2Dialect.of(true));
  }

  @Test
  void semicolon_inQuotesCommentsAndDollarQuotes_doesNotSplit() {
    var parts =
        split(
            """
            insert into t values (';', 'it''s;');  -- a; comment
            /* b; /* nested; */ */ select ";" from t;
            create alias f as $$ int f() { return 1; } $$;
            """);
    assertThat(parts)
        .extracting(ScriptSplitter.Part::keyword)
        .containsExactly("INSERT", "SELECT", "CREATE");
  }

  @Test
  void questionMarks_outsideTexts_areParameters() {
    var parts = split("select '?', \"?\", ? from t where a = ? -- ?\n; delete from t where b = ?");
    assertThat(parts).extracting(ScriptSplitter.Part::parameters).containsExactly(2, 1);
  }

  @Test
  void emptyStatements_areIgnored() {
    assertThat(split(" ; ;\n-- nothing\n;")).isEmpty();
  }

  @Test
  void select_fromAChange_writes() {
    assertThat(split("select * from final table (delete from t)").getFirst().writes()).isTrue();
    assertThat(split("select * from t").getFirst().writes()).isFalse();
    assertThat(split("with a as (select 1) select * from a").getFirst().writes()).isFalse();
  }
}
