// SPDX-License-Identifier: Apache-2.0
// Reads and writes the shop by PostgREST's own client, and prints what was shown, a line each.
import assert from "node:assert/strict";
import { PostgrestClient } from "@supabase/postgrest-js";

const [, , url, kind] = process.argv;
// As supabase-js makes it: with a schema that SQLite does not have.
const shop = new PostgrestClient(url, { schema: "public" });

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
  assert.deepEqual(await data(shop.from("brands").select("id").order("id").limit(1).single()), { id: 1 });
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

await shows("many rows", async () => {
  const tags = () => shop.from("tags");
  const several = await tags().insert([{ id: 7, name: "A" }, { id: 8, name: "B" }], { count: "exact" });
  assert.equal(several.count, 2);
  const rows = [{ id: 8, name: "other" }, { id: 9, name: "C" }];
  assert.deepEqual(await data(tags().upsert(rows, { ignoreDuplicates: true }).select()), [{ id: 9, name: "C" }]);
  const some = [{ id: 8, name: "B", stock: 1, active: true }, { id: 9, name: "C", active: false }];
  const products = shop.from("products").insert(some, { defaultToNull: false }).select("id,stock").order("id");
  assert.deepEqual(await data(products), [{ id: 8, stock: 1 }, { id: 9, stock: null }]);
  const most = await tags().update({ name: "X" }).gt("id", 6).maxAffected(2);
  assert.equal(most.error.code, "PGRST124");
  assert.deepEqual(await data(tags().update({ name: "X" }).eq("id", 7).select("name").single()), { name: "X" });
  assert.equal((await tags().update({ name: "X" }).gt("id", 6).select().single()).error.code, "PGRST116");
  assert.equal((await tags().delete({ count: "exact" }).gt("id", 6)).count, 3);
  await data(shop.from("products").delete().gt("id", 7));
});

await shows("related rows", async () => {
  const products = (select) => shop.from("products").select(select).eq("id", 1);
  const either = products("id, prices(currency)").or("currency.eq.USD,amount.lt.1", { referencedTable: "prices" });
  assert.deepEqual(await data(either), [{ id: 1, prices: [{ currency: "USD" }] }]);
  const aliased = products("id, costs:prices(currency)").order("currency", { referencedTable: "costs" }).limit(1, { referencedTable: "costs" });
  assert.deepEqual(await data(aliased), [{ id: 1, costs: [{ currency: "EUR" }] }]);
  const page = products("prices(currency)").order("currency", { referencedTable: "prices" }).range(1, 1, { referencedTable: "prices" });
  assert.deepEqual(await data(page), [{ prices: [{ currency: "USD" }] }]);
  assert.deepEqual(await data(products("...brands(maker:name)").single()), { maker: "Acme" });
  assert.deepEqual(await data(products("id, prices(count)").single()), { id: 1, prices: [{ count: 2 }] });
  assert.deepEqual(await data(products("id, brands!inner(name)").eq("brands.name", "Borg")), []);
  assert.deepEqual(await data(shop.from("products").select("id, brands()").is("brands", null)), [{ id: 4 }]);
  const ordered = shop.from("products").select("id, brands(name)").order("brands(name)").order("id").limit(1);
  assert.deepEqual(await data(ordered), [{ id: 1, brands: { name: "Acme" } }]);
});

await shows("counts", async () => {
  for (const count of ["exact", "planned", "estimated"]) {
    assert.equal((await shop.from("brands").select("id", { count }).limit(1)).count, 3);
    assert.equal((await shop.from("brands").select("*", { count, head: true }).gt("id", 1)).count, 2);
  }
});

await shows("failures", async () => {
  await assert.rejects(async () => await shop.from("brands").select("nothing").throwOnError(), { code: "42703" });
  assert.equal((await shop.from("brands").insert({ nothing: 1 })).error.code, "PGRST204");
  const given = new AbortController();
  given.abort();
  assert.match((await shop.from("brands").select().abortSignal(given.signal)).error.message, /abort/i);
  assert.equal((await shop.from("brands").select().explain()).status, 406);
  assert.equal((await shop.schema("nowhere").from("brands").select()).error.code, "PGRST106");
});

if (kind !== "sqlite") {
  await shows("rpc", async () => {
    const tax = { p1: 100, p2: 19 };
    assert.equal(await data(shop.rpc("price_with_tax", tax)), 119);
    assert.equal(await data(shop.rpc("price_with_tax", tax, { get: true })), 119);
    assert.deepEqual(await data(shop.rpc("cheapest", { p1: 2 }).select("id")), [{ id: 2 }, { id: 1 }]);
    assert.deepEqual(await data(shop.rpc("cheapest", { p1: 2 }, { get: true }).limit(1).single()), { id: 2, name: "Rope" });
    assert.equal((await shop.rpc("nothing")).error.code, "PGRST202");
  });
}

if (kind === "postgresql") {
  await shows("sets, ranges and words", async () => {
    const ids = async (query) => (await data(query.order("id"))).map((row) => row.id);
    const sets = () => shop.from("sets").select("id");
    assert.deepEqual(await ids(sets().contains("tags", ["a"])), [1, 2]);
    assert.deepEqual(await ids(sets().containedBy("tags", ["a", "c", "d e"])), [1]);
    assert.deepEqual(await ids(sets().overlaps("tags", ["d e", "x"])), [1]);
    assert.deepEqual(await ids(sets().contains("data", { a: 1 })), [1]);
    assert.deepEqual(await ids(sets().textSearch("words", "cats & rats", { config: "english" })), [2]);
    assert.deepEqual(await ids(sets().textSearch("words", "lazy dog", { type: "websearch" })), [1]);
    assert.deepEqual(await ids(sets().overlaps("span", "[4,7)")), [1, 2]);
    assert.deepEqual(await ids(sets().rangeLt("span", "[6,8)")), [1]);
    assert.deepEqual(await ids(sets().rangeGt("span", "[1,5)")), [2]);
    assert.deepEqual(await ids(sets().rangeGte("span", "[5,9)")), [2]);
    assert.deepEqual(await ids(sets().rangeLte("span", "[1,5)")), [1]);
    assert.deepEqual(await ids(sets().rangeAdjacent("span", "[10,12)")), [2]);
  });
}
