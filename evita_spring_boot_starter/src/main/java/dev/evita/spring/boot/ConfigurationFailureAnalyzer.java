// SPDX-License-Identifier: Apache-2.0
package dev.evita.spring.boot;

import dev.evita.api.ErrorCode;
import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.error.HttpErrorCode;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Reports a failed start in the form of Spring Boot: description and action, without a stack trace.
 */
final class ConfigurationFailureAnalyzer extends AbstractFailureAnalyzer<EvitaException> {

  @Override
  protected FailureAnalysis analyze(Throwable rootFailure, EvitaException cause) {
    return new FailureAnalysis(
        "Evita cannot start (" + cause.code() + "): " + cause.publicMessage(),
        switch (cause.code()) {
          case ErrorCode.INVALID_CONFIGURATION ->
              "Correct the property; all keys are listed in Evita's docs/configuration.md.";
          case HttpErrorCode.ADDRESS_IN_USE ->
              "Choose another port with evita.port, or 0 for a free one.";
          case ErrorCode.DATABASE_UNREACHABLE ->
              "Check the application's DataSource (spring.datasource.*).";
          default -> "Correct the cause, or set evita.enabled=false to start without Evita.";
        },
        cause);
  }
}
