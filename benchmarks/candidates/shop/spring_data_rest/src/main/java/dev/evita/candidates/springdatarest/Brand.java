// SPDX-License-Identifier: Apache-2.0
package dev.evita.candidates.springdatarest;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import org.jspecify.annotations.Nullable;

/** A row of brands; without a repository of its own, so it stands within its products. */
@Entity
@Table(name = "brands")
public class Brand {

  @Id private int id;
  private @Nullable String name;

  public int getId() {
    return id;
  }

  public @Nullable String getName() {
    return name;
  }
}
