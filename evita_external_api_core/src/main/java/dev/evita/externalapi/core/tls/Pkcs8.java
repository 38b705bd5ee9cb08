// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.tls;

import java.io.ByteArrayOutputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.HexFormat;

/**
 * Wraps OpenSSL's older forms of private keys in PKCS#8, the only form that the JDK reads (RFC
 * 5958): a version, the algorithm, and the older form unchanged.
 */
final class Pkcs8 {

  private static final int INTEGER = 0x02;
  private static final int OCTET_STRING = 0x04;
  private static final int SEQUENCE = 0x30;
  private static final int PARAMETERS = 0xa0;

  private static final byte[] VERSION_0 = {INTEGER, 1, 0};

  /** The identifier of rsaEncryption, with its null parameters. */
  private static final byte[] RSA = HexFormat.of().parseHex("06092a864886f70d0101010500");

  /** The identifier of id-ecPublicKey, whose parameters are the curve. */
  private static final byte[] EC = HexFormat.of().parseHex("06072a8648ce3d0201");

  private Pkcs8() {}

  /** Wraps an RSA key in PKCS#1 form (RFC 8017, appendix A.1.2). */
  static byte[] ofPkcs1(byte[] der) {
    return wrapped(RSA, der);
  }

  /**
   * Wraps an EC key in SEC1 form (RFC 5915, section 3).
   *
   * @throws IllegalArgumentException if it does not name its curve
   */
  static byte[] ofSec1(byte[] der) {
    try {
      var fields = element(ByteBuffer.wrap(der), SEQUENCE);
      element(fields, INTEGER);
      element(fields, OCTET_STRING);
      var curve = element(fields, PARAMETERS);
      var algorithm = new ByteArrayOutputStream();
      algorithm.writeBytes(EC);
      while (curve.hasRemaining()) {
        algorithm.write(curve.get());
      }
      return wrapped(algorithm.toByteArray(), der);
    } catch (BufferUnderflowException e) {
      throw new IllegalArgumentException("not an EC key with a named curve", e);
    }
  }

  private static byte[] wrapped(byte[] algorithm, byte[] key) {
    var fields = new ByteArrayOutputStream();
    fields.writeBytes(VERSION_0);
    write(fields, SEQUENCE, algorithm);
    write(fields, OCTET_STRING, key);
    var whole = new ByteArrayOutputStream();
    write(whole, SEQUENCE, fields.toByteArray());
    return whole.toByteArray();
  }

  private static void write(ByteArrayOutputStream to, int tag, byte[] content) {
    to.write(tag);
    if (content.length < 0x80) {
      to.write(content.length);
    } else if (content.length <= 0xffff) {
      to.write(0x82);
      to.write(content.length >> Byte.SIZE);
      to.write(content.length);
    } else {
      throw new IllegalArgumentException("a key of " + content.length + " bytes");
    }
    to.writeBytes(content);
  }

  /** The content of the next element, which must have this tag. */
  private static ByteBuffer element(ByteBuffer from, int tag) {
    if ((from.get() & 0xff) != tag) {
      throw new IllegalArgumentException("not the expected DER element " + tag);
    }
    var length = from.get() & 0xff;
    if (length > 0x80) {
      var bytes = length & 0x7f;
      length = 0;
      for (int i = 0; i < bytes; i++) {
        length = length << Byte.SIZE | (from.get() & 0xff);
      }
    }
    if (length < 0 || length > from.remaining()) {
      throw new IllegalArgumentException("a DER element longer than its file");
    }
    var content = from.slice(from.position(), length);
    from.position(from.position() + length);
    return content;
  }
}
