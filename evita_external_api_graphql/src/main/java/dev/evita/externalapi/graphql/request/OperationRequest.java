// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.request;

/**
 * A client's request, kept so that it can be compiled again.
 *
 * @param text the document that the request contains or names
 */
public record OperationRequest(String text, GraphQlRequest request) {}
