import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import type { Page } from '../../../portal/src/api/answer.ts';
import type { Catalogue } from '../../../portal/src/api/catalogue.ts';
import type { Field } from '../../../portal/src/api/fields.ts';
import { setBase } from '../../../portal/src/api/server.ts';
import { fetchRanked, placeAt, rankingOf, type Place } from '../../../portal/src/explore/table/ranks.ts';
import { isRanked } from '../../../portal/src/explore/view-question.ts';
import { openEngine } from '../../../src/engines/open/open-engine.ts';
import { openNearAndFar } from '../../federation/download/galleries.ts';

const types = { id: 'keyword', artist: 'keyword', gender: 'keyword', title: 'keyword', medium: 'keyword' };
const names: Readonly<Record<string, string>> = { gender: 'Gender of the artist' };
const sort = [{ fieldName: 'id', order: 'asc' }] as const;

/** What the portal knows of the network of all of them. */
const catalogue: Catalogue = {
  source: {
    ...{ id: 'network', kind: 'network', path: 'network', name: 'Works', description: null },
    ...{ documentType: null, status: 'available' },
  },
  documentType: null,
  fields: new Map(
    Object.entries(types).map(([path, type]) => [
      path,
      { path, name: names[path] ?? path, type, kind: 'values' } as Field,
    ]),
  ),
  ...{ facets: [], shownFacets: 0, columns: [], survival: null, sort, isFiltered: false, disclosure: null },
  nodes: [],
};

const search = {
  op: 'search',
  content: { fieldNames: ['artist', 'gender', 'title', 'medium'], value: 'Turner' },
} as const;

const more = 'a small study of the sea near an old harbour wall before dawn'.split(' ');

/** Works in no order, whose medium, title or artist says Turner among so many words: more of each than are sorted at once. */
const works = Array.from({ length: 360 }, (_, at) => {
  const text = ['Turner', ...more.slice(0, (at * 7) % 13)].reverse().join(' ');
  const rest = ['', 'Turners', 'a Turner', 'nothing'][at % 4]!;
  const id = String((at * 7919) % 360).padStart(3, '0');
  return {
    id,
    ...{ artist: at % 3 === 0 ? text : 'Jo Doe', title: at % 3 === 1 ? text : `Work of ${id}`, medium: rest },
  };
});

/** How many words the value has by which a work is found, 1 000 more in a title, and 2 000 more elsewhere. */
const rankOf = ({ artist, title, medium }: Readonly<Record<string, unknown>>): number => {
  const values = [artist, title, medium].map(String);
  const at = values.findIndex((value) => value.includes('Turner'));
  return at * 1000 + (at === 2 ? 0 : values[at]!.split(' ').length);
};

const dataPath = mkdtempSync(join(tmpdir(), 'tributary-'));
const engine = await openEngine({ kind: 'embedded', dataPath });

test.after.always(async () => {
  await engine.close();
  rmSync(dataPath, { recursive: true });
});

test('words find whole names first, then those of few words, then titles, then the rest, over all pages', async (t) => {
  const properties = Object.fromEntries(Object.entries(types).map(([path, type]) => [path, { type }]));
  const gallery = (documentType: string, part: number) => ({
    ...{ documentType, properties, engine },
    documents: works.filter((_, at) => at % 2 === part),
  });
  const { url } = await openNearAndFar(t, gallery('near', 0), gallery('far', 1));
  setBase(new URL(url));
  const request = { columns: Object.keys(types).map((path) => ({ path })), sort, size: 80 };
  const ranking = rankingOf({ filters: [search] }, catalogue)!;
  t.deepEqual(ranking.groups, [['artist'], ['title']]);
  const found: Readonly<Record<string, unknown>>[] = [];
  let from: Place | null | undefined = null;
  while (from !== undefined) {
    const page: Page = await fetchRanked(catalogue, ranking, { ...request, from });
    found.push(...page.rows.map(({ values }) => values));
    from = (page.next as Place | null) ?? undefined;
  }
  const expected = works.filter((work) => `${work.artist} ${work.title} ${work.medium}`.includes('Turner'));
  t.deepEqual(found.map(({ id }) => String(id)).sort(), expected.map(({ id }) => id).sort());
  // from six words on, several lengths are one rank
  const bands = [1, 2, 3, 4, 6, 9, 14];
  const banded = found
    .map(rankOf)
    .map((rank) => rank - (rank % 1000) + bands.findIndex((most) => rank % 1000 <= most));
  t.deepEqual(
    banded,
    banded.toSorted((one, other) => one - other),
  );
  t.true(new Set(banded).size > 12);
  for (const place of [3, 119, 238]) {
    const { rows } = await fetchRanked(catalogue, ranking, { ...request, size: 3, from: placeAt(place) });
    t.deepEqual(
      rows.slice(0, 3).map(({ values }) => values['id']),
      found.slice(place, place + 3).map(({ id }) => id),
    );
  }
  // few are sorted word by word
  const few = {
    op: 'in',
    content: { fieldName: 'id', value: works.slice(0, 90).map(({ id }) => id) },
  } as const;
  const less = rankingOf({ filters: [few, search] }, catalogue)!;
  const { rows, next } = await fetchRanked(catalogue, less, { ...request, from: null });
  t.is(next, null);
  const ranks = rows.map(({ values }) => rankOf(values));
  t.deepEqual(
    ranks,
    ranks.toSorted((one, other) => one - other),
  );
  t.is(ranks[0], 1);
});

test('an order that the visitor chose, alternatives and other fields are not ranked', (t) => {
  t.true(isRanked({ filters: [search] }));
  t.false(isRanked({ filters: [search], sort }));
  t.false(isRanked({ filters: [search], join: 'or' }));
  t.false(isRanked({ filters: [] }));
  const inMedium = { ...search, content: { ...search.content, fieldNames: ['medium'] } };
  t.is(rankingOf({ filters: [inMedium] }, catalogue), null);
});
