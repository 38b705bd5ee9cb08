// SPDX-License-Identifier: Apache-2.0
/** GraphQL in Java without Evita: Quarkus with SmallRye GraphQL over H2. */
@NullMarked
package dev.evita.candidates.quarkusgraphql;

import org.jspecify.annotations.NullMarked;
