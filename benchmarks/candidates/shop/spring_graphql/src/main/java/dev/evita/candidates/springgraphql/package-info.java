/** GraphQL in Java without Evita: Spring for GraphQL over H2, as its documentation has it. */
@NullMarked
package dev.evita.candidates.springgraphql;

import org.jspecify.annotations.NullMarked;
