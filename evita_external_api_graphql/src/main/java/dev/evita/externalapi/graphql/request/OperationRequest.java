// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.request;

/**
 * What a client asked for, kept so that it can be compiled again.
 *
 * @param text the document that the request brings or names
 */
public record OperationRequest(String text, GraphQlRequest request) {}
