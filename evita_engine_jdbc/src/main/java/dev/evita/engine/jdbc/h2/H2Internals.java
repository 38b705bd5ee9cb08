// SPDX-License-Identifier: Apache-2.0
package dev.evita.engine.jdbc.h2;

import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Access to non-public members of H2, to work around defects of H2 2.5.252 in its file handling.
 * Another H2 may not have them, or may hide them as a module; then the workaround is omitted.
 */
final class H2Internals {

  private static final Logger LOG = LoggerFactory.getLogger(H2Internals.class);

  private static final String MISSING =
      "This H2 has no {}.{}, so that its defects after a crash are not worked around; expected H2"
          + " 2.5.252";

  private H2Internals() {}

  /** Null if this H2 has no such method. */
  static @Nullable Method method(Class<?> type, String name, Class<?>... parameters) {
    try {
      return accessible(type.getDeclaredMethod(name, parameters));
    } catch (NoSuchMethodException | InaccessibleObjectException e) {
      LOG.warn(MISSING, type.getSimpleName(), name, e);
      return null;
    }
  }

  /** Null if this H2 has no such field. */
  static @Nullable Field field(Class<?> type, String name) {
    try {
      return accessible(type.getDeclaredField(name));
    } catch (NoSuchFieldException | InaccessibleObjectException e) {
      LOG.warn(MISSING, type.getSimpleName(), name, e);
      return null;
    }
  }

  private static <M extends AccessibleObject> M accessible(M member) {
    member.setAccessible(true);
    return member;
  }

  /** Calls a method; its exceptions are passed on. */
  static @Nullable Object call(Method method, Object target, @Nullable Object... arguments) {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause() instanceof RuntimeException thrown
          ? thrown
          : new IllegalStateException(method.getName() + " failed", e.getCause());
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  static @Nullable Object get(Field field, Object target) {
    try {
      return field.get(target);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  static void set(Field field, Object target, Object value) {
    try {
      field.set(target, value);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }
}
