// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.h2;

import java.lang.reflect.Method;
import org.h2.mvstore.DataUtils;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.RandomAccessStore;
import org.jspecify.annotations.Nullable;

/**
 * The head of an open H2 file, which must point to the newest chunk before a commit counts as
 * written.
 *
 * <p>H2 2.5.250 to 2.5.252 write the head before they note that a chunk is the newest ({@code
 * RandomAccessStore.writeChunk}), so that it points to the one before. Whoever opens the file after
 * the end of the process may then not find the last commit, as was seen in every second case. For
 * such a head, this calls H2's own private method once more, as nothing public writes a head. Where
 * that method is missing, {@link H2Recovery} finds the commit.
 *
 * <p>2.4.240 needs none of it, but cannot list the columns of a database with a materialized view.
 *
 * <p>Not thread-safe: for the thread that writes.
 */
final class H2FileHeader {

  private final MVStore store;
  private final @Nullable Method write;

  H2FileHeader(MVStore store) {
    this.store = store;
    this.write =
        store.getFileStore() instanceof RandomAccessStore
            ? H2Internals.method(RandomAccessStore.class, "writeStoreHeader")
            : null;
  }

  /** Writes the head once more if it points to an older version than the last. */
  void mend() {
    if (write != null && version() < store.getCurrentVersion()) {
      store.executeFilestoreOperation(this::write);
    }
  }

  private void write() {
    if (write != null) {
      H2Internals.call(write, store.getFileStore());
    }
  }

  private long version() {
    return DataUtils.readHexLong(store.getStoreHeader(), "version", 0);
  }
}
