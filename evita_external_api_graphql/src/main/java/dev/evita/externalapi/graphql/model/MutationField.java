// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.graphql.model;

/** The operation that a field of {@code mutation_root} represents. */
public sealed interface MutationField {

  /** Its name in the schema. */
  String name();

  /** Inserts rows: any number of them, or one. */
  record Insert(String name, MutationTable table, boolean one) implements MutationField {}

  /** Updates the rows of a filter. */
  record Update(String name, MutationTable table) implements MutationField {}

  /** Updates the row of a primary key. */
  record UpdateByKey(String name, MutationTable table) implements MutationField {}

  /** Several updates, each with its own filter. */
  record UpdateMany(String name, MutationTable table) implements MutationField {}

  /** Deletes the rows of a filter. */
  record Delete(String name, MutationTable table) implements MutationField {}

  /** Deletes the row of a primary key. */
  record DeleteByKey(String name, MutationTable table) implements MutationField {}

  /** Calls a routine that may write. */
  record Call(RootModel.Call call) implements MutationField {
    @Override
    public String name() {
      return call.name();
    }
  }
}
