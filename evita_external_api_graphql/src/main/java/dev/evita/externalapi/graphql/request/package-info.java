// SPDX-License-Identifier: Apache-2.0
/** Requests, socket messages and errors of GraphQL over HTTP; uses the core only. */
@NullMarked
package dev.evita.externalapi.graphql.request;

import org.jspecify.annotations.NullMarked;
