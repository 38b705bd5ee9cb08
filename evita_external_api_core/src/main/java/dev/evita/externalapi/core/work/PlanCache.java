// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.work;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.stats.CacheStats;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Plans of one API snapshot, by request shape. Argument values must not be part of the key.
 *
 * <p>Thread-safe; bounded by weight so that neither many nor large documents exhaust the heap. It
 * belongs to its snapshot, so the catalog's epoch need not be part of the key.
 */
public final class PlanCache<V> {

  private final Cache<String, V> cache;

  /**
   * @param maxChars the maximum total length of all keys, in characters
   */
  public PlanCache(long maxChars) {
    this.cache =
        Caffeine.newBuilder()
            .maximumWeight(maxChars)
            .<String, V>weigher((key, value) -> key.length() + 256)
            .recordStats()
            .build();
  }

  /** The plan of this key; null if it is not cached. Counts as a look-up. */
  public @Nullable V ifPresent(String key) {
    return cache.getIfPresent(key);
  }

  /**
   * Returns the plan of this key, and compiles it on a cache miss. Failures are not cached.
   *
   * @param compile may be called by several threads for the same key at the same time; the last
   *     wins
   */
  public V get(String key, Function<String, V> compile) {
    var known = cache.getIfPresent(key);
    if (known != null) {
      return known;
    }
    var compiled = compile.apply(key);
    cache.put(key, compiled);
    return compiled;
  }

  /** Hits and misses so far. */
  public CacheStats stats() {
    return cache.stats();
  }
}
