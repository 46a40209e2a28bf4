import test from 'ava';
import type { Catalogue } from '../../../portal/src/api/catalogue.ts';
import { goneFrom, keptIn } from '../../../portal/src/explore/gone.ts';

const catalogue = {
  fields: new Map([
    ['sex', {}],
    ['age', {}],
  ]),
  nodes: [{ nodeId: 'lyon', name: 'Lyon' }],
} as unknown as Catalogue;

test('whatever a link names that is gone is found, each once', (t) => {
  const of = (fieldName: string) => ({ op: 'in', content: { fieldName, value: ['a'] } }) as const;
  const gone = goneFrom(
    {
      filters: [
        of('sex'),
        { op: 'wildcard', content: { fieldNames: ['sex', 'first'], value: '*a*' } },
        { op: 'or', content: [of('first'), of('age')] },
      ],
      cohorts: [
        { name: 'all', filter: null },
        { name: 'some', filter: { op: 'and', content: [of('second')] } },
      ],
      charts: ['sex × third', 'first'],
      columns: ['sex', 'fourth'],
      sort: [{ fieldName: 'fifth', order: 'asc' }],
      opened: ['sixth'],
      nodes: ['lyon', 'paris'],
    },
    catalogue,
  );
  t.deepEqual(gone, { fields: ['first', 'second', 'third', 'fourth', 'fifth', 'sixth'], nodes: ['paris'] });
});

test('nothing is gone from a view that names nothing', (t) => {
  t.deepEqual(goneFrom({}, catalogue), { fields: [], nodes: [] });
});

test('another source keeps what it has of the filter, and lists what it drops', (t) => {
  const of = (fieldName: string) => ({ op: 'in', content: { fieldName, value: ['a'] } }) as const;
  const former = { fields: new Map([['site', { name: 'Primary site' }]]) } as unknown as Catalogue;
  const words = (...fieldNames: string[]) => ({ op: 'search', content: { fieldNames, value: 'x' } }) as const;
  const kept = keptIn(
    {
      source: 'before',
      tab: 'charts',
      join: 'or',
      filters: [
        of('sex'),
        of('site'),
        words('sex', 'site'),
        { op: 'and', pivot: 'files', content: [of('sex')] },
        { op: 'or', content: [of('age'), of('site')] },
      ],
      cohorts: [{ name: 'women', filter: of('sex') }],
      columns: ['age', 'site'],
      charts: ['sex × site', 'age'],
      sort: [{ fieldName: 'site', order: 'asc' }],
      nodes: ['paris'],
      record: { id: '1', nodeId: null },
    },
    former,
    catalogue,
  );
  t.deepEqual(kept, {
    tab: 'charts',
    join: 'or',
    filters: [of('sex'), words('sex'), { op: 'or', content: [of('age')] }],
    dropped: ['Primary site', 'files'],
  });
  t.deepEqual(keptIn({ source: 'before' }, undefined, catalogue), {});
});
