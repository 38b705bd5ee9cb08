// SPDX-License-Identifier: Apache-2.0
// The carpool demonstration, rebuilt from its description: each request updates the row of a visitor, by a query of its
// own (/single) or by one query for all requests of 10 ms (/multiple), and responds whether it is the first visit.
// Unlike the original, it responds to each of several requests for one visitor in a batch.
// Environment: PORT, DATABASE_URL.
import express from "express";
import pg from "pg";

const VISITORS = 1_000_000;
const HEADWAY_MILLIS = 10;
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL });

async function single(id) {
  const { rows } = await pool.query({
    name: "single",
    text: `UPDATE users SET "lastLastSeen" = "lastSeen", "lastSeen" = now() WHERE id = $1 RETURNING "lastLastSeen"`,
    values: [id],
  });
  return rows[0].lastLastSeen === null;
}

async function multiple(ids) {
  const { rows } = await pool.query({
    name: "multiple",
    text: `UPDATE users SET "lastLastSeen" = "lastSeen", "lastSeen" = now() WHERE id = ANY($1) RETURNING id, "lastLastSeen"`,
    values: [ids],
  });
  return new Map(rows.map((row) => [row.id, row.lastLastSeen === null]));
}

function batch(run) {
  let waiting = new Map();
  setInterval(async () => {
    if (waiting.size === 0) {
      return;
    }
    const passengers = waiting;
    waiting = new Map();
    try {
      const results = await run([...passengers.keys()]);
      passengers.forEach((requests, id) => requests.forEach(({ resolve }) => resolve(results.get(id))));
    } catch (error) {
      passengers.forEach((requests) => requests.forEach(({ reject }) => reject(error)));
    }
  }, HEADWAY_MILLIS);
  return (id) =>
    new Promise((resolve, reject) => {
      waiting.set(id, [...(waiting.get(id) ?? []), { resolve, reject }]);
    });
}

function visitor(request) {
  return Number(request.params.id ?? 1 + Math.floor(Math.random() * VISITORS));
}

const batched = batch(multiple);
const app = express();
app.get("/single{/:id}", async (request, response) => {
  response.json({ first: await single(visitor(request)) });
});
app.get("/multiple{/:id}", async (request, response) => {
  response.json({ first: await batched(visitor(request)) });
});
app.listen(Number(process.env.PORT), "127.0.0.1");
