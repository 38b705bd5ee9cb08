/**
 * REST in PostgREST's dialect, for any engine.
 *
 * <p>A URL is read in two steps. What differs from request to request, the values, is cut out on
 * the way ({@link dev.evita.externalapi.rest.request.ReadQuery}); the rest is the request's shape,
 * by which its plan ({@link dev.evita.externalapi.rest.reads.ReadPlan}) is found, or compiled once.
 */
@NullMarked
package dev.evita.externalapi.rest;

import org.jspecify.annotations.NullMarked;
