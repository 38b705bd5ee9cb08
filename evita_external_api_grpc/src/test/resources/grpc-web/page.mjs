// In a page, whose hash is the server's URL and, in base64, a FileDescriptorSet. What went well, and that all is done, or what
// went wrong, is told to the page's own server.
import { call } from "./calls.mjs";

function same(actual, expected) {
  if (JSON.stringify(actual) !== JSON.stringify(expected)) {
    throw new Error(`${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`);
  }
}

const assert = {
  equal: same,
  deepEqual: same,
  fail(message) {
    throw new Error(message);
  },
  async rejects(what, check) {
    try {
      await (typeof what === "function" ? what() : what);
    } catch (e) {
      if (!check(e)) {
        throw e;
      }
      return;
    }
    throw new Error("did not fail");
  },
};

// One after the other, so that they arrive in order.
let told = Promise.resolve();
function say(line) {
  told = told.then(() => fetch("/said", { method: "POST", body: line }));
}

const [url, descriptors] = location.hash.slice(1).split(",");
try {
  await call(url, Uint8Array.from(atob(descriptors), (c) => c.charCodeAt(0)), assert, say);
  say("done");
} catch (e) {
  say(`failed: ${e.stack ?? e}`);
}
