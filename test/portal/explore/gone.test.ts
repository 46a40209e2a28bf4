import test from 'ava';
import type { Catalogue } from '../../../portal/src/api/catalogue.ts';
import { goneFrom } from '../../../portal/src/explore/gone.ts';

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
      filters: [of('sex'), { op: 'or', content: [of('first'), of('age')] }],
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

test('of a view that names nothing, nothing is gone', (t) => {
  t.deepEqual(goneFrom({}, catalogue), { fields: [], nodes: [] });
});
