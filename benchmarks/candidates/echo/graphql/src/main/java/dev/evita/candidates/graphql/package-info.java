// SPDX-License-Identifier: Apache-2.0
/** The echo API of the published comparison, which all of its candidates share. */
@org.jspecify.annotations.NullMarked
package dev.evita.candidates.graphql;
