// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks;

import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parsing and validation of the options of all benchmarks. */
public final class BenchmarkOptions {

  private BenchmarkOptions() {}

  /** Runs it and returns the exit status: 2 where it was refused before anything was begun. */
  public static int execute(Callable<Integer> command, String... arguments) {
    return new CommandLine(command)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setExecutionExceptionHandler((exception, line, parsed) -> {
          if (exception instanceof RefusedException) {
            line.getErr().println(exception.getMessage());
            return CommandLine.ExitCode.USAGE;
          }
          throw exception;
        })
        .execute(arguments);
  }

  /** A count of which none would measure nothing. */
  static final class Positive implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String value) {
      return atLeast(1, value);
    }
  }

  /** A count that may be 0. */
  public static final class NotNegative implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String value) {
      return atLeast(0, value);
    }
  }

  /** A part of a whole. */
  static final class Share implements ITypeConverter<Double> {
    @Override
    public Double convert(String value) {
      try {
        var share = Double.parseDouble(value);
        if (share > 0 && share <= 1) {
          return share;
        }
      } catch (NumberFormatException e) {
        // Refused below, as any other that is no share.
      }
      throw refused(value, "a number above 0, at most 1");
    }
  }

  private static int atLeast(int least, String value) {
    try {
      var number = Integer.parseInt(value);
      if (number >= least) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Refused below, as any other that is too small.
    }
    throw refused(value, "a whole number, " + least + " or more");
  }

  private static TypeConversionException refused(String value, String expected) {
    return new TypeConversionException("'" + value + "'; expected " + expected);
  }
}
