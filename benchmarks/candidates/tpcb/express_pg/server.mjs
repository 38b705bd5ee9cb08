// SPDX-License-Identifier: Apache-2.0
// TPC-B by Express and node-postgres, with its default pool (10 connections) and named statements.
// Environment: PORT, DATABASE_URL.
import express from "express";
import pg from "pg";

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL });

const updateAccount = "UPDATE pgbench_accounts SET abalance = abalance + $1 WHERE aid = $2";
const selectBalance = "SELECT abalance FROM pgbench_accounts WHERE aid = $1";
const updateTeller = "UPDATE pgbench_tellers SET tbalance = tbalance + $1 WHERE tid = $2";
const updateBranch = "UPDATE pgbench_branches SET bbalance = bbalance + $1 WHERE bid = $2";
const insertHistory =
  "INSERT INTO pgbench_history (tid, bid, aid, delta, mtime, filler) VALUES ($1, $2, $3, $4, now(), repeat('x', 22))";

async function run({ aid, tid, bid, delta }) {
  const client = await pool.connect();
  try {
    await client.query("BEGIN");
    await client.query({ name: "account", text: updateAccount, values: [delta, aid] });
    const { rows } = await client.query({ name: "balance", text: selectBalance, values: [aid] });
    await client.query({ name: "teller", text: updateTeller, values: [delta, tid] });
    await client.query({ name: "branch", text: updateBranch, values: [delta, bid] });
    await client.query({ name: "history", text: insertHistory, values: [tid, bid, aid, delta] });
    await client.query("COMMIT");
    return rows[0].abalance;
  } catch (error) {
    await client.query("ROLLBACK");
    throw error;
  } finally {
    client.release();
  }
}

const app = express();
app.use(express.json());
app.post("/transaction", async (request, response) => {
  response.json({ balance: await run(request.body) });
});
app.listen(Number(process.env.PORT), "127.0.0.1");
