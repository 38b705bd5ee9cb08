// SPDX-License-Identifier: Apache-2.0
// The article's Node.js server: a pool of 10 connections and a named statement.
// Arguments: port, host of PostgreSQL (a directory for its UNIX socket), its port, database.
import http from "node:http";
import pg from "pg";

const [port, host, databasePort, database] = process.argv.slice(2);
const pool = new pg.Pool({
  host, port: Number(databasePort), database, user: "postgres", max: 10, idleTimeoutMillis: 60_000,
});

function missing(req, res) {
  res.setHeader("Content-Type", "application/json");
  res.writeHead(200);
  res.end(JSON.stringify({ method: req.method, path: req.url }));
}

const server = http.createServer((req, res) => {
  const split = req.url.split("/");
  if (split.length !== 3 || split[1] !== "users") {
    missing(req, res);
    return;
  }
  const query = {
    name: "q", text: "SELECT users.name FROM users WHERE users.handle = $1", values: [split[2]],
  };
  pool.query(query).then((result) => {
    if (result.rows.length === 1) {
      res.setHeader("Content-Type", "text/html");
      res.writeHead(200);
      res.end(`Hello, <b>${result.rows[0].name}</b>!`);
    } else {
      missing(req, res);
    }
  }, () => {
    res.writeHead(500);
    res.end();
  });
});
server.listen(Number(port), "127.0.0.1");
