// SPDX-License-Identifier: Apache-2.0
// Runs all server audits against the URL and writes one JSON line for each:
//   node audit.mjs <url> [h2]
import diagnostics from 'node:diagnostics_channel';
import { serverAudits } from 'graphql-http';
import { Agent, fetch } from 'undici';

const [url, protocol] = process.argv.slice(2);
const spoken = new Set();
diagnostics.channel('undici:client:connected').subscribe(({ socket }) => spoken.add(socket.alpnProtocol));
const dispatcher = new Agent({
  allowH2: protocol === 'h2',
  connect: { rejectUnauthorized: false },
});
const audits = serverAudits({ url, fetchFn: (target, init) => fetch(target, { ...init, dispatcher }) });
for (const audit of audits) {
  const { status, name, reason } = await audit.fn();
  console.log(JSON.stringify({ id: audit.id, name, status, reason }));
}
await dispatcher.close();
if (protocol === 'h2' && [...spoken].join() !== 'h2') {
  throw new Error(`not only HTTP/2 was spoken: ${[...spoken]}`);
}
