// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc.proto;

/**
 * What a table's service is called.
 *
 * @param packageName that of the table's schema
 * @param base the service's own name, with which those of its messages begin
 */
record ServiceName(String packageName, String base) {

  /** As clients call it. */
  String full() {
    return packageName + "." + base;
  }
}
