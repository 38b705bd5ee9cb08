// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks;

/** The shop in a process of its own. */
final class ShopServer {

  private ShopServer() {}

  @SuppressWarnings("resource") // it serves until the process is killed
  public static void main(String[] arguments) {
    new EmbeddedShop(Integer.parseInt(arguments[0]));
  }
}
