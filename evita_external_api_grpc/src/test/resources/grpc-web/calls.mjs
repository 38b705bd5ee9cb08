// Calls gRPC's interoperability service by the clients of gRPC-Web that exist, in Node.js or in a page.
import { create, createFileRegistry, fromBinary, toBinary } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { Code, createClient } from "@connectrpc/connect";
import { createGrpcWebTransport } from "@connectrpc/connect-web";
import grpcWeb from "grpc-web";

const BINARY = "x-grpc-test-echo-trailing-bin";
const TEXT = "x-grpc-test-echo-initial";

/**
 * @param url of the server
 * @param descriptors a FileDescriptorSet in bytes
 * @param assert of Node.js, or the like
 * @param say is told a line for each that went well
 */
export async function call(url, descriptors, assert, say) {
  const files = fromBinary(FileDescriptorSetSchema, descriptors);
  const service = createFileRegistry(files).getService("grpc.testing.TestService");

  // ---- Connect's client: fetch, bytes ----

  const client = createClient(service, createGrpcWebTransport({ baseUrl: url }));

  let initial, trailing;
  const answer = await client.unaryCall(
    { responseSize: 314159, payload: { body: new Uint8Array(271828) } },
    {
      headers: { [TEXT]: "hello", [BINARY]: "q6ur" },
      onHeader: (headers) => (initial = headers.get(TEXT)),
      onTrailer: (trailers) => (trailing = trailers.get(BINARY)),
    },
  );
  assert.equal(answer.payload.body.length, 314159);
  assert.equal(initial, "hello");
  assert.equal(trailing, "q6ur");
  say("connect: unary, with metadata both ways");

  const sizes = [31415, 9, 2653, 58979];
  const seen = [];
  const asked = { responseParameters: sizes.map((size) => ({ size })) };
  for await (const each of client.streamingOutputCall(asked)) {
    seen.push(each.payload.body.length);
  }
  assert.deepEqual(seen, sizes);
  say("connect: stream");

  await assert.rejects(
    client.unaryCall({ responseStatus: { code: 2, message: "\t\ntest with ü and 😈\t\n" } }),
    (e) => e.code === Code.Unknown && e.rawMessage === "\t\ntest with ü and 😈\t\n",
  );
  await assert.rejects(client.unimplementedCall({}), (e) => e.code === Code.Unimplemented);
  say("connect: failures");

  const slow = { responseParameters: [{ size: 1, intervalUs: 20_000_000 }] };
  await assert.rejects(async () => {
    for await (const each of client.streamingOutputCall(slow, { timeoutMs: 200 })) {
      assert.fail(each);
    }
  }, (e) => e.code === Code.DeadlineExceeded);
  say("connect: deadline");

  const leaving = new AbortController();
  const endless = { responseParameters: [{ size: 1 }, { size: 1, intervalUs: 20_000_000 }] };
  await assert.rejects(async () => {
    for await (const each of client.streamingOutputCall(endless, { signal: leaving.signal })) {
      assert.equal(each.payload.body.length, 1);
      leaving.abort();
    }
  }, (e) => e.code === Code.Canceled);
  say("connect: cancelled");

  // ---- Google's client: XMLHttpRequest, text and bytes ----

  function described(method, type) {
    return new grpcWeb.MethodDescriptor(
      `/${service.typeName}/${method.name}`,
      type,
      Object,
      Object,
      (message) => toBinary(method.input, create(method.input, message)),
      (bytes) => fromBinary(method.output, bytes),
    );
  }

  function calls(format) {
    const base = new grpcWeb.GrpcWebClientBase({ format });
    return {
      unary(method, message, metadata) {
        const descriptor = described(method, grpcWeb.MethodType.UNARY);
        return base.unaryCall(url + descriptor.getName(), message, metadata, descriptor);
      },
      stream(method, message) {
        const descriptor = described(method, grpcWeb.MethodType.SERVER_STREAMING);
        return base.serverStreaming(url + descriptor.getName(), message, {}, descriptor);
      },
    };
  }

  for (const format of ["text", "binary"]) {
    const { unary } = calls(format);
    const body = { responseSize: 70000, payload: { body: new Uint8Array(50000) } };
    const { payload } = await unary(service.method.unaryCall, body, { [TEXT]: "hello" });
    assert.equal(payload.body.length, 70000);
    const refused = { responseStatus: { code: 10, message: "no, 100 %" } };
    await assert.rejects(
      unary(service.method.unaryCall, refused, {}),
      (e) => e.code === 10 && e.message === "no, 100 %",
    );
    await assert.rejects(unary(service.method.unimplementedCall, {}, {}), (e) => e.code === 12);
    say(`grpc-web: ${format}`);
  }

  const streamed = [];
  await new Promise((resolve, reject) => {
    calls("text")
      .stream(service.method.streamingOutputCall, asked)
      .on("data", (each) => streamed.push(each.payload.body.length))
      .on("error", reject)
      .on("end", resolve);
  });
  assert.deepEqual(streamed, sizes);
  say("grpc-web: stream");
}
