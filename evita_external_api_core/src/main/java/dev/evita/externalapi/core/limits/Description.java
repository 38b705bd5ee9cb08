// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core.limits;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The description of a configuration key, used by {@code --help} and the documentation. */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Description {
  /** One or two sentences. */
  String value();

  /** The key's former name, which is still accepted; empty if none. */
  String formerly() default "";
}
