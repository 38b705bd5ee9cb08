// SPDX-License-Identifier: Apache-2.0
// PostGraphile as its documentation has it for a library mode server: Node's own HTTP server,
// the recommended preset, nothing that is for development only.
// Arguments: port, connection string of PostgreSQL.
import { createServer } from "node:http";
import { grafserv } from "postgraphile/grafserv/node";
import { postgraphile } from "postgraphile";
import { PostGraphileAmberPreset } from "postgraphile/presets/amber";
import { makePgService } from "postgraphile/adaptors/pg";

const [port, connectionString] = process.argv.slice(2);

const pgl = postgraphile({
  extends: [PostGraphileAmberPreset],
  pgServices: [makePgService({ connectionString, schemas: ["public"] })],
  grafserv: { port: Number(port), host: "127.0.0.1", graphiql: false, watch: false },
  grafast: { explain: false },
});

const server = createServer();
server.on("error", (error) => {
  console.error(error);
  process.exit(1);
});
await pgl.createServ(grafserv).addTo(server);
server.listen(Number(port), "127.0.0.1");
