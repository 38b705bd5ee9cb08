// SPDX-License-Identifier: Apache-2.0
// TPC-B by Express and porsager/postgres, with its default pool (10 connections) and prepared statements.
// Environment: PORT, DATABASE_URL.
import express from "express";
import postgres from "postgres";

const sql = postgres(process.env.DATABASE_URL);

function run({ aid, tid, bid, delta }) {
  return sql.begin(async (sql) => {
    await sql`UPDATE pgbench_accounts SET abalance = abalance + ${delta} WHERE aid = ${aid}`;
    const [account] = await sql`SELECT abalance FROM pgbench_accounts WHERE aid = ${aid}`;
    await sql`UPDATE pgbench_tellers SET tbalance = tbalance + ${delta} WHERE tid = ${tid}`;
    await sql`UPDATE pgbench_branches SET bbalance = bbalance + ${delta} WHERE bid = ${bid}`;
    await sql`INSERT INTO pgbench_history (tid, bid, aid, delta, mtime, filler)
      VALUES (${tid}, ${bid}, ${aid}, ${delta}, now(), repeat('x', 22))`;
    return account.abalance;
  });
}

const app = express();
app.use(express.json());
app.post("/transaction", async (request, response) => {
  response.json({ balance: await run(request.body) });
});
app.listen(Number(process.env.PORT), "127.0.0.1");
