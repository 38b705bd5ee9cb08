/** REST in Java without Evita: Spring MVC and JdbcClient over H2, as their documentation has it. */
@NullMarked
package dev.evita.candidates.springmvc;

import org.jspecify.annotations.NullMarked;
