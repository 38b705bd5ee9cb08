// SPDX-License-Identifier: Apache-2.0
// Reads and writes the shop by PostgREST's own client, and prints what was shown, a line each.
import assert from "node:assert/strict";
import { PostgrestClient } from "@supabase/postgrest-js";

const shop = new PostgrestClient(process.argv[2]);

/** The data of an answer without an error. */
async function data(query) {
  const answer = await query;
  assert.equal(answer.error, null, JSON.stringify(answer.error));
  return answer.data;
}

async function shows(name, check) {
  await check();
  console.log(name);
}

await shows("select", async () => {
  assert.deepEqual(await data(shop.from("brands").select("id,name").order("id")), [
    { id: 1, name: "Acme" },
    { id: 2, name: "Borg" },
    { id: 3, name: "Zeta" },
  ]);
});

await shows("filters", async () => {
  const ids = async (query) => (await data(query.order("id"))).map((row) => row.id);
  const brands = () => shop.from("brands").select("id");
  assert.deepEqual(await ids(brands().eq("name", "Acme")), [1]);
  assert.deepEqual(await ids(brands().neq("name", "Acme")), [2, 3]);
  assert.deepEqual(await ids(brands().gt("id", 1).lte("id", 2)), [2]);
  assert.deepEqual(await ids(brands().like("name", "%e%")), [1, 3]);
  assert.deepEqual(await ids(brands().ilike("name", "a*")), [1]);
  assert.deepEqual(await ids(brands().likeAnyOf("name", ["A%", "Z%"])), [1, 3]);
  assert.deepEqual(await ids(brands().is("founded", null)), [3]);
  assert.deepEqual(await ids(brands().in("name", ["Acme", "Zeta"])), [1, 3]);
  assert.deepEqual(await ids(brands().match({ id: 2, name: "Borg" })), [2]);
  assert.deepEqual(await ids(brands().not("id", "in", "(1,2)")), [3]);
  assert.deepEqual(await ids(brands().or("id.eq.1,and(id.eq.2,name.eq.Borg)")), [1, 2]);
  assert.deepEqual(await ids(brands().filter("name", "in", '("Acme","Borg")')), [1, 2]);
});

await shows("embedding", async () => {
  assert.deepEqual(
    await data(
      shop
        .from("products")
        .select("id, maker:brands!inner(name), tags(name)")
        .eq("maker.name", "Acme")
        .order("id")
        .order("name", { referencedTable: "tags", ascending: false })
        .limit(1, { referencedTable: "tags" }),
    ),
    [
      { id: 1, maker: { name: "Acme" }, tags: [{ name: "sale" }] },
      { id: 2, maker: { name: "Acme" }, tags: [{ name: "sale" }] },
    ],
  );
});

await shows("range and count", async () => {
  const page = await shop.from("brands").select("id", { count: "exact" }).order("id").range(1, 2);
  assert.equal(page.status, 206);
  assert.equal(page.count, 3);
  assert.deepEqual(page.data, [{ id: 2 }, { id: 3 }]);
  const head = await shop.from("brands").select("*", { count: "exact", head: true });
  assert.equal(head.count, 3);
  assert.equal(head.data, null);
});

await shows("one row", async () => {
  assert.deepEqual(await data(shop.from("brands").select("id").eq("id", 2).single()), { id: 2 });
  assert.equal(await data(shop.from("brands").select("id").eq("id", 9).maybeSingle()), null);
  const several = await shop.from("brands").select("id").single();
  assert.equal(several.status, 406);
  assert.equal(several.error.code, "PGRST116");
});

await shows("csv", async () => {
  assert.equal(await data(shop.from("brands").select("id").order("id").csv()), "id\r\n1\r\n2\r\n3\r\n");
});

await shows("insert, update, upsert, delete", async () => {
  const brands = () => shop.from("brands");
  assert.deepEqual(await data(brands().insert({ id: 4, name: "N" }).select("name").single()), { name: "N" });
  assert.equal((await brands().insert([{ id: 5, name: "M" }, { id: 6, name: "O", founded: 1 }])).status, 201);
  assert.deepEqual(await data(brands().update({ founded: 7 }).gte("id", 5).select("id,founded").order("id")), [
    { id: 5, founded: 7 },
    { id: 6, founded: 7 },
  ]);
  await data(brands().upsert({ id: 4, name: "P" }));
  await data(brands().upsert({ id: 4, name: "Q" }, { onConflict: "id", ignoreDuplicates: true }));
  assert.deepEqual(await data(brands().select("name").eq("id", 4)), [{ name: "P" }]);
  assert.equal((await brands().delete().gte("id", 5)).status, 204);
  assert.deepEqual(await data(brands().delete().eq("id", 4).select()), [{ id: 4, name: "P", founded: null }]);
  const twice = await brands().insert({ id: 1, name: "A" });
  assert.equal(twice.status, 409);
  assert.equal(twice.error.code, "23505");
  const wrong = await brands().select("nothing");
  assert.equal(wrong.error.code, "42703");
});
