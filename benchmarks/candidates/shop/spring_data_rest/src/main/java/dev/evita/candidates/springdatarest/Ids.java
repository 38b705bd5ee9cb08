// SPDX-License-Identifier: Apache-2.0
package dev.evita.candidates.springdatarest;

import org.springframework.data.rest.core.config.RepositoryRestConfiguration;
import org.springframework.data.rest.webmvc.config.RepositoryRestConfigurer;
import org.springframework.stereotype.Component;
import org.springframework.web.servlet.config.annotation.CorsRegistry;

/** Spring Data REST leaves keys out where it is not told otherwise. */
@Component
class Ids implements RepositoryRestConfigurer {

  @Override
  public void configureRepositoryRestConfiguration(
      RepositoryRestConfiguration configuration, CorsRegistry cors) {
    configuration.exposeIdsFor(Product.class, Brand.class);
  }
}
