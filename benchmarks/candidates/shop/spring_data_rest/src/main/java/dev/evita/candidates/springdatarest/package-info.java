/** REST in Java without Evita: Spring Data REST and JPA over H2, as their documentation has it. */
@NullMarked
package dev.evita.candidates.springdatarest;

import org.jspecify.annotations.NullMarked;
