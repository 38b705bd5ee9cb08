// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import java.io.ByteArrayOutputStream;

/** Work whose answer becomes a message, or is compared with another. */
final class DetachedExchange extends BackgroundExchange {

  private final Background.Answer answer;
  private final int maxBytes;
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(0);

  DetachedExchange(Dispatcher dispatcher, int maxBytes, Background.Answer answer) {
    super(dispatcher, dispatcher.deadline(dispatcher.now()));
    this.maxBytes = maxBytes;
    this.answer = answer;
  }

  @Override
  public void fail(Throwable failure) {
    tell(() -> answer.failed(report(failure)));
  }

  @Override
  boolean write(byte[] source, int length, boolean last) {
    if (bytes.size() + length > maxBytes) {
      fail(
          new EvitaException(
              ErrorCode.ANSWER_TOO_LARGE,
              "The answer is larger than "
                  + maxBytes
                  + " bytes, the limit of max-message-bytes; ask for less"));
      return true;
    }
    bytes.write(source, 0, length);
    if (last) {
      tell(() -> answer.completed(bytes.toByteArray()));
    }
    return true;
  }

  @Override
  boolean committed() {
    return bytes.size() > 0;
  }

  /** Whoever opened it knows what to begin with. */
  @Override
  boolean arriveAgain() {
    fail(
        new EvitaException(
            ErrorCode.CATALOG_CHANGED, "The schema has changed meanwhile; try again"));
    return true;
  }
}
