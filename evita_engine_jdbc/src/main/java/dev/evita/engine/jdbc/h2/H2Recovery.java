// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.h2;

import java.io.IOException;
import java.sql.Driver;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.h2.api.ErrorCode;
import org.h2.engine.ConnectionInfo;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.MVStoreException;
import org.h2.store.fs.FilePath;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the newest complete version in an H2 file that was not closed, before H2 opens it.
 *
 * <p>H2 looks for it where the file's header and the chunks point to. That does not suffice if the
 * space of old chunks is reused: after a crash the header may point to a chunk that was not
 * written, or was overwritten by another, and H2 then takes an older version that happens to be
 * complete. Acknowledged commits are then lost, though they are in the file. (H2's own recovery
 * mode does not help: it replaces unreadable parts by nothing.)
 *
 * <p>So this class looks for chunks in every block, lets H2 try them from the newest on, and points
 * the header to the first complete one. Nothing else is changed, except that newer chunks, which
 * belong to unacknowledged commits, are marked as invalid.
 */
public final class H2Recovery {

  private static final Logger LOG = LoggerFactory.getLogger(H2Recovery.class);

  private static final String SUFFIX = ".mv.db";

  /**
   * An invalid lock method, which H2 reports when it opens a file, but not if it is open already.
   */
  private static final String NO_LOCK_METHOD = ";FILE_LOCK=NONE_OF_THESE";

  private final Driver driver;
  private final String url;
  private final Properties settings;

  private H2Recovery(Driver driver, String url, Properties settings) {
    this.driver = driver;
    this.url = url;
    this.settings = settings;
  }

  /**
   * Recovers the file of a URL, if it exists, was not closed, is not encrypted, and is not open.
   * Returns whether that was the case.
   */
  public static boolean recover(Driver driver, String url, Properties settings) {
    var recovery = new H2Recovery(driver, url, settings);
    var file = recovery.file();
    if (file == null || recovery.isOpenHere()) {
      return false;
    }
    try {
      return recover(file);
    } catch (IOException | MVStoreException e) {
      LOG.warn("Recovery failed; opening the database without it", e);
      return true;
    }
  }

  private @Nullable FilePath file() {
    try {
      var name = new ConnectionInfo(url, settings, null, null).getName();
      var file = FilePath.get(name + SUFFIX);
      return file.exists() && file.canWrite() ? file : null;
    } catch (RuntimeException e) {
      return null; // H2 reports what is wrong with the URL
    }
  }

  /**
   * Whether this process has the database open. Its file must then not even be read: closing any
   * file descriptor of it releases the lock that H2 holds (POSIX, fcntl).
   */
  private boolean isOpenHere() {
    try {
      var probe = url.replaceAll("(?i);FILE_LOCK=[^;]*", "") + NO_LOCK_METHOD;
      driver.connect(probe, settings).close();
      return true;
    } catch (SQLException e) {
      return e.getErrorCode() != ErrorCode.UNSUPPORTED_LOCK_METHOD_1;
    }
  }

  private static boolean recover(FilePath path) throws IOException {
    Map<String, String> head;
    List<H2File.Chunk> newestFirst;
    try (var file = H2File.open(path)) {
      head = file == null ? null : file.head();
      if (file == null || head == null || head.containsKey("clean")) {
        return false;
      }
      LOG.info("The database was not closed; searching its file for the newest version");
      newestFirst = new ArrayList<>(file.chunks());
    }
    newestFirst.sort(Comparator.comparingLong(H2File.Chunk::version).reversed());
    for (int i = 0; i < newestFirst.size(); i++) {
      if (!point(path, head, newestFirst.subList(0, i), newestFirst.get(i))) {
        return true;
      }
      if (version(path) == newestFirst.get(i).version()) {
        return true;
      }
    }
    undo(path, head, newestFirst);
    return true;
  }

  /** Returns false if another process has opened it meanwhile. */
  private static boolean point(
      FilePath path, Map<String, String> head, List<H2File.Chunk> rejected, H2File.Chunk to)
      throws IOException {
    try (var file = H2File.open(path)) {
      if (file == null) {
        return false;
      }
      if (!rejected.isEmpty()) {
        file.erase(rejected.getLast());
      }
      file.write(head, to);
      return true;
    }
  }

  /** The version that H2 finds; -1 if none. */
  private static long version(FilePath path) {
    try (var store = new MVStore.Builder().fileName(path.toString()).readOnly().open()) {
      return store.getCurrentVersion();
    } catch (MVStoreException e) {
      return -1;
    }
  }

  private static void undo(FilePath path, Map<String, String> head, List<H2File.Chunk> rejected)
      throws IOException {
    LOG.warn("H2 finds no complete version of the database; opening it without recovery");
    try (var file = H2File.open(path)) {
      if (file != null) {
        for (var each : rejected) {
          file.restore(each);
        }
        file.write(head);
      }
    }
  }
}
