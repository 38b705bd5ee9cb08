// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.sql.run;

import dev.evita.externalapi.sql.declaration.RoutePattern;
import dev.evita.externalapi.sql.declaration.Stage;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A handler of HTTP requests. Immutable and thread-safe. */
public sealed interface Handler permits SqlHandler, BrokenHandler, ProgramHandler {

  /** Its name, for messages. */
  String name();

  /** The requests that it is for. */
  List<RoutePattern> routes();

  /** Those with a higher one run first. */
  int priority();

  /** When it runs. */
  Stage stage();

  /** Whether it changes no data, so that pages of other origins may request it. */
  boolean readOnly();

  /** The time that it may take; null for that of all requests. */
  @Nullable Duration timeout();
}
