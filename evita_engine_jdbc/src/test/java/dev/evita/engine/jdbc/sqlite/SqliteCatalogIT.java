// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evita.api.Column;
import dev.evita.api.Column.Generation;
import dev.evita.api.DataType;
import dev.evita.api.DataType.Scalar;
import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.api.Filter;
import dev.evita.api.ForeignKey;
import dev.evita.api.Key;
import dev.evita.api.Output;
import dev.evita.api.Relationship;
import dev.evita.api.Select;
import dev.evita.api.Table;
import dev.evita.api.TableName;
import dev.evita.api.testkit.Bindings;
import dev.evita.api.testkit.EngineDriver;
import dev.evita.engine.jdbc.JdbcEngine;
import dev.evita.engine.jdbc.JdbcOptions;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The catalog of a schema similar to Chinook and Northwind, and stray values. */
final class SqliteCatalogIT {

  private static final String CHINOOK =
      """
      create table Artist (ArtistId INTEGER not null primary key, Name NVARCHAR(120));
      create table Album (
        AlbumId INTEGER primary key autoincrement, Title NVARCHAR(160) not null,
        ArtistId INTEGER not null references artist);
      create table Track (
        TrackId INTEGER primary key, Name NVARCHAR(200) not null, AlbumId INTEGER,
        Milliseconds INTEGER not null, Bytes BIGINT, UnitPrice NUMERIC(10,2) not null default 0.99,
        Loud BOOLEAN, Cover BLOB, Length REAL, Added DATETIME, Anything, Small SMALLINT,
        Seconds INTEGER generated always as (Milliseconds / 1000) virtual,
        foreign key (AlbumId) references Album (albumid) on delete cascade);
      create table PlaylistTrack (
        PlaylistId INTEGER, TrackId INTEGER references Track,
        primary key (PlaylistId, TrackId)) without rowid;
      create table Employee (
        EmployeeId INTEGER primary key, ReportsTo INTEGER references Employee (EmployeeId),
        Badge TEXT unique, Missing INTEGER references Nowhere (id));
      create table "Order ""Details""\" (
        PlaylistId INTEGER, TrackId INTEGER, "größe" VARCHAR(5),
        foreign key (PlaylistId, TrackId) references PlaylistTrack);
      create unique index OneOpen on Track (AlbumId) where Bytes is null;
      create unique index LowerName on Artist (lower(Name));
      create index TrackAlbum on Track (AlbumId, Name);
      create view Loudest as select TrackId, Name from Track where Loud;
      create virtual table Notes using fts5(body)
      """;

  @TempDir private Path directory;

  private final JdbcEngine engine = JdbcEngine.open("jdbc:sqlite::memory:");
  private final EngineDriver db = new EngineDriver(engine);

  SqliteCatalogIT() {
    db.script(CHINOOK);
  }

  @AfterEach
  void close() {
    engine.close();
  }

  private Table table(String name) {
    return engine.catalog().requireTable(new TableName("main", name));
  }

  private Column column(String table, String column) {
    return table(table).column(column).orElseThrow();
  }

  @Test
  void tables_excludeInternalAndShadowTables() {
    assertThat(engine.catalog().tables())
        .extracting(table -> table.name().table())
        .containsExactlyInAnyOrder(
            "Album",
            "Artist",
            "Employee",
            "Loudest",
            "Notes",
            "Order \"Details\"",
            "PlaylistTrack",
            "Track");
    assertThat(table("Loudest").kind()).isEqualTo(Table.Kind.VIEW);
    assertThat(table("Notes").columns()).extracting(Column::name).containsExactly("body");
  }

  @Test
  void types_followTheDeclaration() {
    Map<String, DataType> types =
        table("Track").columns().stream().collect(Collectors.toMap(Column::name, Column::type));
    assertThat(types)
        .containsEntry("TrackId", Scalar.INT64)
        .containsEntry("Name", Scalar.TEXT)
        .containsEntry("UnitPrice", Scalar.DECIMAL)
        .containsEntry("Loud", Scalar.BOOLEAN)
        .containsEntry("Cover", Scalar.BINARY)
        .containsEntry("Length", Scalar.FLOAT64)
        .containsEntry("Added", Scalar.TEXT)
        .containsEntry("Anything", Scalar.TEXT)
        .containsEntry("Small", Scalar.INT32)
        .containsEntry("Seconds", Scalar.INT64);
  }

  @Test
  void generation_ofRowidsAndComputedColumns() {
    assertThat(column("Track", "TrackId").generation()).isEqualTo(Generation.IDENTITY_BY_DEFAULT);
    assertThat(column("Album", "AlbumId").generation()).isEqualTo(Generation.IDENTITY_BY_DEFAULT);
    assertThat(column("Track", "Seconds").generation()).isEqualTo(Generation.COMPUTED);
    assertThat(column("PlaylistTrack", "TrackId").generation()).isEqualTo(Generation.NONE);
    assertThat(column("PlaylistTrack", "TrackId").nullable()).isFalse();
  }

  @Test
  void keys_excludePartialAndExpressionIndexes() {
    assertThat(table("Track").uniqueKeys()).isEmpty();
    assertThat(table("Artist").uniqueKeys()).isEmpty();
    assertThat(table("Employee").uniqueKeys())
        .extracting(Key::columns)
        .containsExactly(List.of("Badge"));
    assertThat(table("Track").indexes())
        .extracting(Key::columns)
        .containsExactly(List.of("AlbumId", "Name"));
  }

  @Test
  void foreignKeys_withoutColumns_referToThePrimaryKey() {
    assertThat(table("Album").foreignKeys())
        .singleElement()
        .satisfies(key -> {
          assertThat(key.target()).isEqualTo(new TableName("main", "Artist"));
          assertThat(key.targetColumns()).containsExactly("ArtistId");
        });
    assertThat(table("Order \"Details\"").foreignKeys())
        .singleElement()
        .satisfies(key -> assertThat(key.targetColumns()).containsExactly("PlaylistId", "TrackId"));
    assertThat(table("Track").foreignKeys())
        .extracting(ForeignKey::targetColumns)
        .containsExactly(List.of("AlbumId"));
  }

  @Test
  void foreignKeys_toMissingTables_areOmitted() {
    assertThat(engine.catalog().relationships(table("Employee").name()))
        .extracting(Relationship::to)
        .containsOnly(table("Employee").name());
  }

  @Test
  void nested_compositeKeysAndUnusualNames_areRelated() {
    db.script(
        "insert into Track (TrackId, Name, Milliseconds) values (1, 'a', 1), (2, 'b', 2500);"
            + " insert into PlaylistTrack values (7, 1), (7, 2);"
            + " insert into \"Order \"\"Details\"\"\" values (7, 1, 'x'), (7, 2, 'y'), (7, null, 'z')");
    var from = table("Order \"Details\"").name();
    var up = engine.catalog().relationships(from).getFirst();
    var related = Select.of(up.to(), List.of(new Output.Column("TrackId")));
    var select =
        Select.of(from, List.of(new Output.Column("größe"), new Output.Nested(up, related)));
    assertThat(db.rows(select)).hasSize(3);
    assertThat(db.rows(select).get(1)).first().isEqualTo("y");
  }

  @Test
  void statement_tooLongForSqlite_isReported() {
    var failure = db.scriptFailure("select '" + "x".repeat(1_100_000) + "'");
    assertThat(failure.code()).isEqualTo(ErrorCode.INVALID_OPERATION);
    assertThat(failure.publicMessage()).contains("more than the 1 000 000 characters");
  }

  @Test
  void value_notMatchingItsType_isStoredValueInvalidByColumn() {
    db.script(
        "insert into Track (TrackId, Name, Milliseconds, Bytes) values (1, 'a', 'soon', x'00')");
    for (var name : List.of("Milliseconds", "Bytes")) {
      var failure =
          db.failure(
              Select.of(table("Track").name(), List.of(new Output.Column(name))), new Bindings());
      assertThat(failure.code()).isEqualTo(ErrorCode.STORED_VALUE_INVALID);
      assertThat(failure.publicMessage()).contains("main.Track." + name);
    }
  }

  @Test
  void keysOfEachStorageClass_areFoundAmongMany() {
    db.script(
        "insert into Track (TrackId, Name, Milliseconds, UnitPrice, Cover) values"
            + " (9007199254740993, '12', 1, 0.1, x'00ff'), (2, 'b', 2, 5, x'')");
    var name = table("Track").name();
    var values =
        Map.<String, Object>of(
            "TrackId",
            9007199254740993L,
            "Name",
            "12",
            "UnitPrice",
            new BigDecimal("0.10"),
            "Cover",
            new byte[] {0, (byte) 0xff});
    values.forEach((column, value) -> {
      var bind = new Bindings();
      var where = bind.in(column, List.of(value));
      var select = Select.of(name, List.of(new Output.Column("Milliseconds"))).where(where);
      assertThat(db.column(select, bind)).as(column).containsExactly(1L);
    });
  }

  @Test
  void absentFile_creationDisabled_isNotCreated() {
    var file = directory.resolve("absent.db");
    var options = JdbcOptions.builder().createIfAbsent(false).build();
    assertThatThrownBy(() -> JdbcEngine.open("jdbc:sqlite:" + file, options))
        .isInstanceOfSatisfying(
            EvitaException.class,
            failure -> assertThat(failure.code()).isEqualTo(ErrorCode.DATABASE_UNREACHABLE));
    assertThat(file).doesNotExist();
  }

  @Test
  void file_hasWriteAheadLogAndForeignKeys() {
    var file = directory.resolve("shop.db");
    try (var opened = JdbcEngine.open("jdbc:sqlite:" + file)) {
      var driver = new EngineDriver(opened);
      assertThat(driver.script("select journal_mode from pragma_journal_mode"))
          .containsExactly(List.of("wal"));
      assertThat(driver.script("select foreign_keys from pragma_foreign_keys").toString())
          .contains("1");
    }
  }

  @Test
  void select_columnWithoutType_isFoundByItsText() {
    db.script(
        "create table Words (Name TEXT); insert into Words values ('a'), ('a'), ('b');"
            + " create view Names as select Name, count(*) as Times from Words group by Name");
    engine.refresh();
    var names = table("Names").name();
    var equal = new Bindings();
    var times = List.<Output>of(new Output.Column("Name"), new Output.Column("Times"));
    assertThat(db.rows(Select.of(names, times).where(equal.equal("Times", "2")), equal))
        .containsExactly(List.of("a", "2"));
    var in = new Bindings();
    assertThat(db.rows(Select.of(names, times).where(in.in("Times", List.of("1", "3"))), in))
        .containsExactly(List.of("b", "1"));
  }

  @Test
  void invalidView_isOmittedAndOthersServed() {
    db.script("create table ty (a integer); create view \"v'bad\" as select nope from ty");
    assertThat(engine.refresh().tables())
        .extracting(table -> table.name().table())
        .contains("ty")
        .doesNotContain("v'bad");
  }

  @Test
  void sums_strayValuesAreInvalidAndDecimalsRounded() {
    db.script("create table s (r real, n integer, d numeric)");
    db.script("insert into s values (1.0, 4, 2.2), (2.0, 1, 10.45)");
    engine.refresh();
    assertThat(db.rows(sum("d"))).containsExactly(List.of(new BigDecimal("12.65")));
    db.script("insert into s values ('nope', 1.5, null)");
    assertThat(db.failure(sum("r"), new Bindings()).code())
        .isEqualTo(ErrorCode.STORED_VALUE_INVALID);
    assertThat(db.failure(sum("n"), new Bindings()).publicMessage()).contains("1.5");
    assertThat(db.rows(sum("d"))).containsExactly(List.of(new BigDecimal("12.65")));
  }

  private static Select sum(String column) {
    var sum = new Output.Aggregate(Output.Function.SUM, List.of(column), false);
    return Select.of(new TableName("main", "s"), List.of(sum));
  }

  @Test
  void manyTerms_areABalancedTree() {
    db.script("create table o (a integer); insert into o values (7)");
    engine.refresh();
    var bind = new Bindings();
    var terms = new ArrayList<Filter>();
    for (int i = 0; i < 5_000; i++) {
      terms.add(bind.equal("a", i));
    }
    var select = Select.of(new TableName("main", "o"), List.of(new Output.Column("a")));
    assertThat(db.rows(select.where(new Filter.Or(terms)), bind)).hasSize(1);
  }

  @Test
  void existingFile_keepsItsJournalMode() throws Exception {
    var url = "jdbc:sqlite:" + directory.resolve("other.db");
    try (var owner = DriverManager.getConnection(url);
        var statement = owner.createStatement()) {
      statement.execute("create table t (id integer primary key)");
    }
    JdbcEngine.open(url).close();
    try (var owner = DriverManager.getConnection(url);
        var statement = owner.createStatement();
        var row = statement.executeQuery("pragma journal_mode")) {
      assertThat(row.getString(1)).isEqualTo("delete");
    }
  }
}
