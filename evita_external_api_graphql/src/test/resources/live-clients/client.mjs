// SPDX-License-Identifier: Apache-2.0
// A client of graphql-ws or of graphql-sse that does what the lines of its standard input say, and writes what it is
// told as lines, all of them JSON:
//   node client.mjs ws|sse <url> [<instead>]
//   {"subscribe": "a", "query": "..."} | {"dispose": "a"}
//   {"next": "a", "result": ...} | {"error": "a", "reason": ...} | {"complete": "a"} | {"closed": 4400} | {"pong": true}
// <instead> are messages that the WebSocket sends instead of one of that type: {"connection_init": [{...}, {...}]}
import readline from 'node:readline';
import { createClient as overEvents } from 'graphql-sse';
import { createClient as overSocket } from 'graphql-ws';
import WebSocket from 'ws';

const [protocol, url, replaced] = process.argv.slice(2);
const instead = JSON.parse(replaced ?? '{}');
const tell = (message) => console.log(JSON.stringify(message));

class ReplacingSocket extends WebSocket {
  send(text, ...rest) {
    const message = JSON.parse(text);
    for (const sent of instead[message.type] ?? [message]) {
      super.send(JSON.stringify(sent), ...rest);
    }
  }
}

const client = protocol === 'sse'
  ? overEvents({ url, retryAttempts: 0 })
  : overSocket({
    url,
    webSocketImpl: ReplacingSocket,
    lazyCloseTimeout: 60_000,
    retryAttempts: 0,
    keepAlive: 100,
    on: {
      closed: ({ code }) => tell({ closed: code }),
      pong: (received) => received && tell({ pong: true }),
    },
  });

const running = new Map();
for await (const line of readline.createInterface({ input: process.stdin })) {
  const command = JSON.parse(line);
  const id = command.subscribe;
  if (id) {
    running.set(id, client.subscribe({ query: command.query }, {
      next: (result) => tell({ next: id, result }),
      error: (reason) => tell({ error: id, reason: reason.code ?? reason.message ?? reason }),
      complete: () => tell({ complete: id }),
    }));
  } else {
    running.get(command.dispose)();
  }
}
process.exit();
