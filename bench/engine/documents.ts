import type { JsonObject } from '../../src/lib/json/json.ts';

/** The mapping of the documents below. */
const keyword = { type: 'keyword' };
export const mapping: JsonObject = {
  properties: {
    id: keyword,
    sex: keyword,
    preserved: keyword,
    phase: keyword,
    grade: keyword,
    method: keyword,
    tissue: keyword,
    habitat: keyword,
    programme: keyword,
    institution: keyword,
    category: keyword,
    collection: keyword,
    collector: keyword,
    species: keyword,
    weight: { type: 'long' },
    reads: { type: 'long' },
    bytes: { type: 'long' },
    collected: { type: 'date' },
    consented: { type: 'boolean' },
    tags: keyword,
    title: keyword,
    samples: {
      type: 'nested',
      properties: { kind: keyword, depth: { type: 'integer' }, quality: keyword, lab: keyword },
    },
    donor: {
      properties: { status: keyword, country: keyword, diagnosis: keyword, age: { type: 'integer' } },
    },
  },
};

/** The facets of a page. */
export const facetPaths: readonly string[] = [
  'sex',
  'phase',
  'grade',
  'tissue',
  'programme',
  'institution',
  'collector',
  'tags',
  'donor.status',
  'donor.country',
];

/** Numbers from 0 to below 1; the same seed gives the same ones (mulberry32). */
export const randomFrom = (seed: number): (() => number) => {
  let state = Math.imul(seed, 2654435761) | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
};

const syllables = 'ba Cor de Fin gra Hol is Ja Kem lu Mar ne Óst par Qui rö Sel ta Ulm vi'.split(' ');

const words = ((): readonly string[] => {
  const random = randomFrom(11);
  const syllable = (): string => syllables[Math.floor(random() * syllables.length)]!;
  return Array.from({ length: 3000 }, () =>
    Array.from({ length: 2 + Math.floor(random() * 3) }, syllable).join(''),
  );
})();

/** The key of the document at a position. */
export const idAt = (position: number): string => `SPEC-${String(position).padStart(8, '0')}`;

const firstDay = Date.UTC(2012, 0, 1);
const seconds = 12 * 365 * 86_400;

/**
 * The document at a position, about 680 bytes of JSON: keywords of 2 to 15 000 values (evenly spread or skewed, some
 * missing), numbers, a date, lists, and one to six nested objects.
 * @param edition another one gives other values under the same key
 */
export const documentAt = (position: number, edition = 0): JsonObject => {
  const random = randomFrom(position + 1 + edition * 20_000_003);
  const even = (count: number): number => Math.floor(random() * count);
  const skewed = (count: number): number => Math.floor(count * random() * random());
  const word = (): string => words[even(words.length)]!;
  return {
    id: idAt(position),
    sex: 's' + skewed(2),
    preserved: 'st' + even(2),
    phase: 'ph' + skewed(5),
    grade: 'g' + even(5),
    method: 'm' + even(5),
    tissue: 'tis ' + skewed(20),
    ...(random() > 0.1 && { habitat: 'Zone ' + even(20) }),
    programme: 'P' + even(20),
    institution: 'Inst/' + skewed(200),
    category: 'cat:' + even(200),
    ...(random() > 0.3 && { collection: 'set ' + skewed(200) }),
    collector: `${words[skewed(words.length)]!} ${skewed(5)}`,
    species: 'sp. ' + even(5000),
    weight: even(1000),
    ...(random() > 0.1 && { reads: skewed(1_000_000) }),
    bytes: even(9e15),
    collected: new Date(firstDay + even(seconds) * 1000).toISOString(),
    consented: random() > 0.5,
    tags: [...new Set(Array.from({ length: 1 + even(5) }, () => 'tag' + skewed(300)))],
    title: Array.from({ length: 4 + even(5) }, word).join(' '),
    samples: Array.from({ length: 1 + even(6) }, () => ({
      kind: 'K' + skewed(20),
      depth: even(100),
      quality: 'q' + even(5),
      lab: 'L' + skewed(200),
    })),
    donor: {
      status: ['alive', 'dead', 'unknown'][skewed(3)]!,
      country: 'C' + skewed(50),
      diagnosis: 'ICD ' + even(200),
      ...(random() > 0.2 && { age: even(100) }),
    },
  };
};

/** The path of every field of the documents themselves with one value at most, and whether it holds numbers. */
export const flatFields: readonly (readonly [path: string, kind: 'text' | 'number' | 'time' | 'boolean'])[] =
  [
    ...(
      'id sex preserved phase grade method tissue habitat programme institution category collection collector ' +
      'species title donor.status donor.country donor.diagnosis'
    )
      .split(' ')
      .map((path) => [path, 'text'] as const),
    ...'weight reads bytes donor.age'.split(' ').map((path) => [path, 'number'] as const),
    ['collected', 'time'],
    ['consented', 'boolean'],
  ];
