// In Node.js: node client.mjs URL DESCRIPTORS, which are a FileDescriptorSet in base64.
import { strict as assert } from "node:assert";
import XMLHttpRequest from "xhr2";
import { call } from "./calls.mjs";

globalThis.XMLHttpRequest = XMLHttpRequest;

const [url, descriptors] = process.argv.slice(2);
await call(url, Buffer.from(descriptors, "base64"), assert, console.log);
