// SPDX-License-Identifier: Apache-2.0
package dev.evita.server;

/** What was built, as the jar's manifest says. */
final class Version {

  private Version() {}

  static String text() {
    var version = Version.class.getPackage().getImplementationVersion();
    return version == null ? "(not packaged)" : version;
  }
}
