// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.sql.respond;

import dev.evita.externalapi.core.work.ResponseBody;
import java.util.Arrays;

/** Sends a body that is in memory, in pieces as the client reads them. */
final class BodySender implements Runnable {

  private final ResponseBody body;
  private final byte[] bytes;
  private int position;

  BodySender(ResponseBody body, byte[] bytes) {
    this.body = body;
    this.bytes = bytes;
  }

  @Override
  public void run() {
    if (position == 0 && bytes.length <= ResponseBody.HIGH_WATER) {
      body.json().raw(bytes);
      body.end();
      return;
    }
    while (position < bytes.length) {
      var length = Math.min(ResponseBody.HIGH_WATER, bytes.length - position);
      body.json().raw(Arrays.copyOfRange(bytes, position, position + length));
      position += length;
      if (!body.demand(this)) {
        return;
      }
    }
    body.end();
  }
}
