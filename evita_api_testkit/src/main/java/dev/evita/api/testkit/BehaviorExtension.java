// SPDX-License-Identifier: Apache-2.0
package dev.evita.api.testkit;

import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;

/**
 * Ends a test at its first denied behavior, and names behaviors in failures; see {@link
 * BehaviorCheck}.
 */
final class BehaviorExtension implements InvocationInterceptor {

  @Override
  @SuppressWarnings("IllegalCatch") // whatever a test throws
  public void interceptTestMethod(
      Invocation<@Nullable Void> invocation,
      ReflectiveInvocationContext<Method> method,
      ExtensionContext context)
      throws Throwable {
    var check = ((BaseEngineTest) context.getRequiredTestInstance()).check();
    try {
      invocation.proceed();
    } catch (Throwable failure) {
      if (!check.endedByDenial()) {
        throw check.named(failure);
      }
    }
  }
}
