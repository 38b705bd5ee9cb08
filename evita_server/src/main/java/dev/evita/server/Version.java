// SPDX-License-Identifier: Apache-2.0
package dev.evita.server;

/** The version of the build, from the jar's manifest. */
final class Version {

  private Version() {}

  static String text() {
    var version = Version.class.getPackage().getImplementationVersion();
    return version == null ? "(not packaged)" : version;
  }
}
