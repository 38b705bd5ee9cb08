// SPDX-License-Identifier: Apache-2.0
package dev.evita.candidates.springdatarest;

import org.springframework.data.domain.Page;
import org.springframework.data.domain.Pageable;
import org.springframework.data.jpa.repository.EntityGraph;
import org.springframework.data.repository.PagingAndSortingRepository;

/** What Spring Data REST serves at {@code /products}: pages with their brands by one join. */
public interface ProductRepository extends PagingAndSortingRepository<Product, Integer> {

  @Override
  @EntityGraph(attributePaths = "brand")
  Page<Product> findAll(Pageable page);
}
