/**
 * REST in PostgREST's dialect, for any engine.
 *
 * <p>A URL is processed in two steps. The values, which differ from request to request, are
 * extracted first ({@link dev.evita.externalapi.rest.request.ReadQuery}); the rest is the request's
 * shape, by which its plan ({@link dev.evita.externalapi.rest.reads.ReadPlan}) is found, or
 * compiled once.
 */
@NullMarked
package dev.evita.externalapi.rest;

import org.jspecify.annotations.NullMarked;
