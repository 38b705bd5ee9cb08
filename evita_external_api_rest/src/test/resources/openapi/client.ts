// SPDX-License-Identifier: Apache-2.0
// Lists, adds, changes and removes brands by a client that was generated from the OpenAPI document,
// and prints what was shown, a line each. The compiler checks it against the generated types.
import { client } from './generated/client.gen';
import {
  deleteBrands,
  insertBrands,
  listBrands,
  listProducts,
  putBrands,
  updateBrands,
} from './generated/sdk.gen';
import type { BrandsInsert, BrandsRow } from './generated/types.gen';

declare const process: { argv: string[]; exitCode: number };

client.setConfig({ baseUrl: process.argv[2] });

const shown = { Prefer: 'return=representation' };

function same(actual: unknown, expected: unknown): void {
  const [is, wanted] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (is !== wanted) {
    throw new Error(`${is} is not ${wanted}`);
  }
}

async function main(): Promise<void> {
  const listed = await listBrands({ query: { select: 'id,name', order: 'id', limit: 2 } });
  same(listed.data, [{ id: 1, name: 'Acme' }, { id: 2, name: 'Borg' }]);
  const products = await listProducts({ query: { select: 'brand(name)', id: 'eq.3' } });
  const rows = products.data as { brand?: BrandsRow | null }[];
  same(rows[0].brand?.name, 'Borg');
  console.log('list');

  const added: BrandsInsert = { id: 77, name: 'Initech', founded: null };
  same((await insertBrands({ body: added, headers: shown })).data, [added]);
  same((await insertBrands({ body: [{ id: 78, name: 'Hooli' }] })).response?.status, 201);
  console.log('insert');

  const changed = await updateBrands({
    query: { id: 'eq.77' },
    body: { founded: 1999 },
    headers: shown,
  });
  same(changed.data, [{ id: 77, name: 'Initech', founded: 1999 }]);
  const replaced = await putBrands({ query: { id: 'eq.78' }, body: { id: 78, name: 'Hooli Inc' } });
  same(replaced.response?.status, 204);
  console.log('update');

  const refused = await insertBrands({ body: added });
  same([refused.response?.status, (refused.error as { code: string }).code], [409, '23505']);
  console.log('conflict');

  same((await deleteBrands({ query: { id: 'in.(77,78)' } })).response?.status, 204);
  same((await listBrands({ query: { id: 'gte.77' } })).data, []);
  console.log('delete');
}

main().catch((failure) => {
  console.error(failure);
  process.exitCode = 1;
});
