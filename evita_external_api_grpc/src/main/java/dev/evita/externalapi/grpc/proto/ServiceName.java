// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc.proto;

/**
 * The name of a table's service.
 *
 * @param packageName the package of the table's schema
 * @param base the service's own name, with which those of its messages begin
 */
record ServiceName(String packageName, String base) {

  /** The full name, which clients use. */
  String full() {
    return packageName + "." + base;
  }
}
