// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.sql.declaration;

/** The part of a request that a declared input comes from. */
public enum InputSource {
  /** A group of the route's path. */
  PATH("path group"),
  /** A parameter of the query string. */
  QUERY("query parameter"),
  /** A field of a form, {@code application/x-www-form-urlencoded}. */
  FORM("form field"),
  /** A member of a JSON object. */
  JSON("JSON member"),
  /** A header; an underscore in the input's name is a hyphen in the header's. */
  HEADER("header"),
  /** A cookie. */
  COOKIE("cookie");

  private final String title;

  InputSource(String title) {
    this.title = title;
  }

  /** The name for messages. */
  public String title() {
    return title;
  }
}
