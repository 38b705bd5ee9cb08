// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc.proto;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The permanent number of a field of a table's messages.
 *
 * @param number from 1
 * @param name the column, or a relationship with an arrow before it
 * @param wire as {@link ProtoKind#wire}
 * @param type the database's own name for the type
 * @param position among the table's fields, from 1; 0 for a removed one, whose number is never
 *     reused
 */
record FieldNumber(int number, String name, String wire, String type, int position) {

  /** The range that protobuf reserves. */
  private static final int FIRST_RESERVED = 19_000;

  private static final int LAST_RESERVED = 19_999;

  private boolean is(FieldNumber other) {
    return name.equals(other.name) && wire.equals(other.wire);
  }

  private FieldNumber as(int otherNumber) {
    return new FieldNumber(otherNumber, name, wire, type, position);
  }

  private FieldNumber gone() {
    return new FieldNumber(number, name, wire, type, 0);
  }

  /**
   * Assigns numbers to the current fields of a table.
   *
   * <p>A field of the same name keeps its number as long as its values have the same wire
   * representation. If new fields replace the same number of missing fields between the same
   * neighbours, each of the same type, they are treated as renamed. A field that reappears after
   * its removal gets its old number again.
   *
   * @param stored the stored numbers, in any order
   * @param now the fields in their order, with positions and without numbers
   * @return the current fields, then the removed ones; equal to the stored ones if nothing has
   *     changed
   */
  static List<FieldNumber> advance(List<FieldNumber> stored, List<FieldNumber> now) {
    var live =
        stored.stream()
            .filter(each -> each.position > 0)
            .sorted(Comparator.comparingInt(FieldNumber::position))
            .toList();
    var numbers = new HashMap<String, Integer>();
    for (var field : now) {
      live.stream().filter(field::is).forEach(each -> numbers.put(field.name, each.number));
    }
    renamed(live, now, numbers);
    var highest = stored.stream().mapToInt(FieldNumber::number).max().orElse(0);
    var advanced = new ArrayList<FieldNumber>();
    for (var field : now) {
      var number = numbers.get(field.name);
      if (number == null) {
        number = former(stored, field, numbers);
      }
      if (number == null) {
        highest = highest + 1 == FIRST_RESERVED ? LAST_RESERVED + 1 : highest + 1;
        number = highest;
      }
      numbers.put(field.name, number);
      advanced.add(field.as(number));
    }
    stored.stream()
        .filter(each -> !numbers.containsValue(each.number))
        .sorted(Comparator.comparingInt(FieldNumber::number))
        .forEach(each -> advanced.add(each.gone()));
    return advanced;
  }

  private static @Nullable Integer former(
      List<FieldNumber> stored, FieldNumber field, Map<String, Integer> taken) {
    return stored.stream()
        .filter(each -> each.is(field) && !taken.containsValue(each.number))
        .map(FieldNumber::number)
        .findFirst()
        .orElse(null);
  }

  /** Fields without a counterpart between the same two that have one. */
  private static Map<List<String>, List<FieldNumber>> gaps(
      List<FieldNumber> fields, List<String> partners) {
    var gaps = new HashMap<List<String>, List<FieldNumber>>();
    var before = "";
    var gap = new ArrayList<FieldNumber>();
    for (var field : fields) {
      if (partners.contains(field.name)) {
        gaps.put(List.of(before, field.name), List.copyOf(gap));
        gap.clear();
        before = field.name;
      } else {
        gap.add(field);
      }
    }
    gaps.put(List.of(before, ""), List.copyOf(gap));
    return gaps;
  }

  private static void renamed(
      List<FieldNumber> live, List<FieldNumber> now, Map<String, Integer> numbers) {
    var partners =
        now.stream()
            .map(FieldNumber::name)
            .filter(name -> live.stream().anyMatch(each -> each.name.equals(name)))
            .toList();
    var missing = gaps(live, partners);
    gaps(now, partners)
        .forEach((between, added) -> {
          var lost = missing.getOrDefault(between, List.of());
          if (alike(lost, added)) {
            for (int i = 0; i < added.size(); i++) {
              numbers.put(added.get(i).name, lost.get(i).number);
            }
          }
        });
  }

  private static boolean alike(List<FieldNumber> lost, List<FieldNumber> added) {
    if (lost.size() != added.size()) {
      return false;
    }
    for (int i = 0; i < added.size(); i++) {
      var same =
          lost.get(i).wire.equals(added.get(i).wire) && lost.get(i).type.equals(added.get(i).type);
      if (!same) {
        return false;
      }
    }
    return true;
  }
}
