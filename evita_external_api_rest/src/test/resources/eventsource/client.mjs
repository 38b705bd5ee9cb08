// SPDX-License-Identifier: Apache-2.0
// An EventSource that follows a URL and writes what it is told as lines, all of them JSON:
//   node client.mjs <url>
//   {"open": "<Last-Event-ID, or nothing>"} | {"event": "insert", "id": "...", "data": ...}
// Between it and the server stands a proxy that breaks all connections for each line of its standard input.
import http from 'node:http';
import readline from 'node:readline';
import { EventSource } from 'eventsource';

const target = new URL(process.argv[2]);
const tell = (message) => console.log(JSON.stringify(message));

const sockets = new Set();
const proxy = http.createServer((request, response) => {
  tell({ open: request.headers['last-event-id'] ?? '' });
  const { method, url, headers } = request;
  const onward = http.request(
    { host: target.hostname, port: target.port, method, path: url, headers, agent: false },
    (answer) => {
      response.writeHead(answer.statusCode, answer.headers);
      answer.pipe(response);
      answer.on('error', () => response.destroy());
    });
  response.on('close', () => onward.destroy());
  onward.on('error', () => response.destroy());
  onward.end();
});
proxy.on('connection', (socket) => {
  sockets.add(socket);
  socket.on('close', () => sockets.delete(socket));
});
await new Promise((ready) => proxy.listen(0, '127.0.0.1', ready));

const source = new EventSource(`http://127.0.0.1:${proxy.address().port}${target.pathname}${target.search}`);
for (const event of ['reset', 'insert', 'update', 'delete', 'ready', 'problem']) {
  source.addEventListener(event, ({ data, lastEventId }) =>
    tell({ event, id: lastEventId, data: JSON.parse(data) }));
}

for await (const line of readline.createInterface({ input: process.stdin })) {
  sockets.forEach((socket) => socket.destroy());
}
process.exit();
