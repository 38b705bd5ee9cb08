/**
 * GraphQL in Java without Evita: graphql-java on Undertow over H2, as their documentations have it.
 */
@NullMarked
package dev.evita.candidates.graphqljava;

import org.jspecify.annotations.NullMarked;
