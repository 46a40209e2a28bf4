import type { CatalogueHit } from '../../src/search/query.ts';

/** What every stub declares; the portal's network has the same. */
export const documentType = 'specimen';
export const fieldTypes: Readonly<Record<string, string>> = {
  id: 'keyword',
  species: 'keyword',
  site: 'keyword',
  weight: 'double',
};

/** Random numbers from 0 up to 1 that a seed repeats: the generator mulberry32. */
export const seeded = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

/** A list of so many of the keys 0 to `keys` - 1, each once, with counts, largest first, as a node publishes it. */
export const bucketList = (random: () => number, buckets: number, keys: number) => {
  const order = Array.from({ length: keys }, (_, key) => key);
  for (let index = 0; index < buckets; index += 1) {
    const other = index + Math.floor(random() * (keys - index));
    [order[index], order[other]] = [order[other]!, order[index]!];
  }
  return order
    .slice(0, buckets)
    .map((key) => ({ key: `key-${key}`, count: 1 + Math.floor(10_000 * random() ** 4) }))
    .sort((a, b) => b.count - a.count || (a.key < b.key ? -1 : 1));
};

/** A page of one node, sorted by weight ascending and then by site. */
export const hitList = (random: () => number, node: string, hits: number): readonly CatalogueHit[] =>
  Array.from({ length: hits }, (_, row) => ({
    weight: Math.round(random() * 1_000) / 10,
    site: `site ${Math.floor(random() * 50)}`,
    row,
  }))
    .sort((a, b) => a.weight - b.weight || (a.site < b.site ? -1 : a.site > b.site ? 1 : 0))
    .map(({ weight, site, row }, index) => ({
      id: `${node}-${row}`,
      source: { id: `${node}-${row}`, species: `species ${row % 7}`, site, weight },
      cursor: [weight, site, index],
    }));
