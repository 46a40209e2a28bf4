import test from 'ava';
import { Columns } from '../../../../src/engines/embedded/columns/columns.ts';
import { readRow } from '../../../../src/engines/embedded/columns/row.ts';
import type { DocumentSource } from '../../../../src/engines/embedded/query/search.ts';
import { searchReply } from '../../../../src/engines/embedded/threads/answer-search.ts';
import type { KeywordColumn } from '../../../../src/engines/embedded/columns/keyword-column.ts';
import {
  attachedColumns,
  shareColumns,
  tokenOf,
  type SharedColumns,
} from '../../../../src/engines/embedded/index/shared-columns.ts';
import type { TermDictionary } from '../../../../src/engines/embedded/columns/term-dictionary.ts';
import type { SearchQuery } from '../../../../src/engines/engine.ts';
import { TributaryError } from '../../../../src/lib/errors/errors.ts';
import { runs } from '../../../fast-check.ts';
import { mixedMapping, randomDocument, seeded, type Random } from '../../random-documents.ts';
import { randomFacet, randomHits } from '../../random-queries.ts';

const nothing = (): never => {
  throw new Error('no document is read');
};
const documents: DocumentSource = { text: nothing, document: nothing };

const append = (columns: Columns, first: number, count: number, random: Random): void => {
  for (let number = first; number < first + count; number++) {
    columns.append(number, `d${number}`, readRow(columns.tree, randomDocument(random), false));
  }
  columns.seal();
};

const withoutSources = (random: Random): SearchQuery => {
  const facet = randomFacet(random);
  const { measure } = facet;
  const facets = [
    { ...facet, measure: measure.kind === 'terms' ? ({ kind: 'terms', size: 5 } as const) : measure },
  ];
  return { hits: { ...randomHits(random), source: [] }, facets };
};

const answers = (columns: Columns, queries: readonly SearchQuery[]): readonly unknown[] =>
  queries.map((query) => {
    try {
      return {
        ...searchReply(columns, { generation: 'now', index: 'one', incarnation: 'first' }, documents, query),
        tookMs: 0,
      };
    } catch (error) {
      if (error instanceof TributaryError) return error.code;
      throw error;
    }
  });

test('what was shared stays as it was while its owner goes on', (t) => {
  for (let seed = 1; seed <= runs(20); seed++) {
    const random = seeded(seed);
    const columns = new Columns(mixedMapping);
    append(columns, 1, 1 + random.below(60), random);
    const queries = Array.from({ length: 30 }, () => withoutSources(random));
    const before = answers(columns, queries);
    // as a message between threads takes it: arrays on shared memory are not copied
    const attached = attachedColumns(structuredClone(shareColumns(columns, mixedMapping, '')));
    t.deepEqual(answers(attached, queries), before, `seed ${seed}`);
    const { count } = columns.root;
    append(columns, count + 1, 1 + random.below(60), random);
    for (let i = 0; i < 10; i++) columns.remove(1 + random.below(count));
    t.deepEqual(answers(attached, queries), before, `seed ${seed}, after changes`);
    const again = attachedColumns(structuredClone(shareColumns(columns, mixedMapping, '')));
    t.deepEqual(answers(again, queries), answers(columns, queries), `seed ${seed}, shared again`);
  }
});

test('arrays are shared, not copied, but for the live bits', (t) => {
  const columns = new Columns(mixedMapping);
  append(columns, 1, 50, seeded(1));
  const { arrays } = structuredClone(shareColumns(columns, mixedMapping, ''));
  t.true(arrays.length > 10);
  t.deepEqual(
    arrays.slice(1).filter(({ buffer, length }) => length > 0 && !(buffer instanceof SharedArrayBuffer)),
    [],
  );
});

test('a token names one state', (t) => {
  const columns = new Columns(mixedMapping);
  const tokens = new Set([tokenOf(columns)]);
  append(columns, 1, 1, seeded(1));
  tokens.add(tokenOf(columns));
  columns.remove(1);
  tokens.add(tokenOf(columns));
  t.is(tokens.size, 3);
  t.is(tokenOf(columns), tokenOf(columns));
  t.not(tokenOf(new Columns(mixedMapping)), tokenOf(new Columns(mixedMapping)));
});

test('what was folded for one thread is not folded again by the next', (t) => {
  const mapping = { properties: { name: { type: 'keyword' } } };
  const columns = new Columns(mapping);
  const add = (number: number, name: string): void => {
    columns.append(number, `d${number}`, readRow(columns.tree, { name }, true));
    columns.seal();
  };
  const tableOf = (of: Columns): TermDictionary => (of.column('name')!.data as KeywordColumn).table;
  const shared = (): SharedColumns => structuredClone(shareColumns(columns, mapping, ''));
  add(1, 'Ábel BAKER');
  const before = shared();
  t.deepEqual(before.folded, []);
  t.is(tableOf(columns).foldedBytes().toString(), 'Ábel baker');
  const after = shared();
  t.not(after.token, before.token, 'worth sharing again');
  const attached = attachedColumns(after);
  add(2, 'Zoe');
  t.is(tableOf(attached).foldedBytes().toString(), 'Ábel baker');
  t.is(tableOf(attached).foldedBytes().buffer, after.folded[0]![1].buffer as ArrayBuffer);
  t.is(tableOf(columns).foldedBytes().toString(), 'Ábel bakerzoe');
});
