// SPDX-License-Identifier: Apache-2.0
package dev.evita.candidates.springdatarest;

import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.Table;
import java.math.BigDecimal;
import java.time.LocalDateTime;
import org.jspecify.annotations.Nullable;

/** A row of products with its brand. */
@Entity
@Table(name = "products")
public class Product {

  @Id private int id;
  private @Nullable String code;
  private @Nullable String name;
  private int stock;
  private boolean active;
  private double rating;
  private @Nullable LocalDateTime created;
  private @Nullable BigDecimal weight;

  @ManyToOne(fetch = FetchType.LAZY)
  private @Nullable Brand brand;

  public int getId() {
    return id;
  }

  public @Nullable String getCode() {
    return code;
  }

  public @Nullable String getName() {
    return name;
  }

  public int getStock() {
    return stock;
  }

  public boolean isActive() {
    return active;
  }

  public double getRating() {
    return rating;
  }

  public @Nullable LocalDateTime getCreated() {
    return created;
  }

  public @Nullable BigDecimal getWeight() {
    return weight;
  }

  public @Nullable Brand getBrand() {
    return brand;
  }
}
