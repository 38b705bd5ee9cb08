// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.regex.Pattern;

/** PgBouncer with transaction pooling in front of a PostgreSQL, on a free port of loopback. */
final class PgBouncer implements AutoCloseable {

  /** The first release that supports prepared statements in transaction pooling. */
  private static final int WITH_PREPARED_STATEMENTS = 21;

  private final ServerProcess process;
  private final URI url;

  private PgBouncer(ServerProcess process, URI url) {
    this.process = process;
    this.url = url;
  }

  /**
   * Starts it; the caller closes it.
   *
   * @param database {@code postgres://user@host:port/name?...}
   */
  static PgBouncer start(URI database) throws IOException, InterruptedException {
    var port = ServerProcess.freePort();
    var file = Files.createTempFile("evita-pgbouncer", ".ini");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    Files.writeString(
        file,
        """
        [databases]
        * = host=%s port=%d user=postgres
        [pgbouncer]
        listen_addr = 127.0.0.1
        listen_port = %d
        unix_socket_dir =
        auth_type = any
        pool_mode = transaction
        max_client_conn = 12000
        ignore_startup_parameters = extra_float_digits
        log_connections = 0
        log_disconnections = 0
        %s
        %s
        """
            .formatted(
                database.getHost(),
                database.getPort(),
                port,
                supportsPreparedStatements() ? "max_prepared_statements = 200" : "",
                // It refuses to run as root.
                System.getProperty("user.name").equals("root") ? "user = postgres" : ""));
    var program = Path.of("pgbouncer");
    var process =
        ServerProcess.program(
            port, ServerProcess.Cores.ALL, program, List.of("-q", file.toString()));
    var url =
        URI.create(
            "%s://%s@127.0.0.1:%d%s?%s"
                .formatted(
                    database.getScheme(),
                    database.getUserInfo(),
                    port,
                    database.getPath(),
                    database.getQuery()));
    return new PgBouncer(process, url);
  }

  /** Whether clients may prepare statements, which needs release 1.21. */
  static boolean supportsPreparedStatements() throws IOException, InterruptedException {
    var version = Pattern.compile("1\\.([0-9]+)").matcher(Programs.version("pgbouncer"));
    return version.find() && Integer.parseInt(version.group(1)) >= WITH_PREPARED_STATEMENTS;
  }

  /** Returns the URL of the database by way of it. */
  URI url() {
    return url;
  }

  ProcessHandle handle() {
    return process.handle();
  }

  @Override
  public void close() {
    process.close();
  }
}
