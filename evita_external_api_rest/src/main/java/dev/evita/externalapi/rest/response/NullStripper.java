// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.rest.response;

import java.util.Arrays;
import java.util.BitSet;

/**
 * Removes null members from JSON objects, at any depth; array elements stay, as their positions are
 * significant. Numbers and texts are copied byte by byte. Used once.
 */
final class NullStripper {

  private static final int NULL = 4;

  private final byte[] in;
  private final byte[] out;
  private int read;
  private int written;

  /** Which of the objects and arrays that are open are objects, from the outside in. */
  private final BitSet objects = new BitSet();

  private int depth;
  private boolean beforeName;

  /** The start of the current member in the output. */
  private int member;

  private NullStripper(byte[] in) {
    this.in = in;
    this.out = new byte[in.length];
  }

  /** Returns the value without those members. */
  static byte[] strip(byte[] json) {
    return new NullStripper(json).run();
  }

  private byte[] run() {
    while (read < in.length) {
      switch (in[read]) {
        case '{', '[' -> open();
        case '}', ']' -> close();
        case '"' -> text();
        case ',' -> next();
        case 'n' -> nothing();
        case ' ', '\t', '\r', '\n' -> read++;
        default -> copy();
      }
    }
    return Arrays.copyOf(out, written);
  }

  private void open() {
    beforeName = in[read] == '{';
    objects.set(depth++, beforeName);
    copy();
  }

  private void close() {
    depth--;
    beforeName = false;
    copy();
  }

  private boolean inObject() {
    return depth > 0 && objects.get(depth - 1);
  }

  /** A comma between members is written with the following member, which may be removed. */
  private void next() {
    if (inObject()) {
      beforeName = true;
      read++;
    } else {
      copy();
    }
  }

  private void text() {
    if (beforeName) {
      beforeName = false;
      member = written;
      if (out[written - 1] != '{') {
        out[written++] = ',';
      }
    }
    copy();
    while (in[read] != '"') {
      if (in[read] == '\\') {
        copy();
      }
      copy();
    }
    copy();
  }

  private void nothing() {
    if (inObject()) {
      written = member;
      read += NULL;
      return;
    }
    for (int i = 0; i < NULL; i++) {
      copy();
    }
  }

  private void copy() {
    out[written++] = in[read++];
  }
}
