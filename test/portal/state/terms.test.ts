import { createServer } from 'node:http';
import { QueryClient } from '@tanstack/react-query';
import test from 'ava';
import type { Catalogue } from '../../../portal/src/api/catalogue.ts';
import type { Field } from '../../../portal/src/api/fields.ts';
import { setBase } from '../../../portal/src/api/server.ts';
import { termQuery } from '../../../portal/src/api/terms.ts';
import { listening } from '../../listening.ts';
import { conditionsOn } from '../../../portal/src/state/edit.ts';
import {
  termsOf,
  tickOf,
  toggled,
  toggledOnly,
  withMore,
  withTerms,
  type Terms,
} from '../../../portal/src/state/terms.ts';
import type { View } from '../../../portal/src/state/view.ts';

const none: Terms = { under: [], except: [], only: [], isExcluded: false };
const lung = { op: 'in', content: { fieldName: 'site', value: ['Lung'] } } as const;
const under = (value: readonly string[], except?: readonly string[]) =>
  ({ op: 'under', content: { fieldName: 'code', value, ...(except && { except }) } }) as const;

/** C -> C1 -> C11, C12; C -> C2 */
const above: Readonly<Record<string, readonly string[]>> = {
  C1: ['C'],
  C2: ['C'],
  C11: ['C', 'C1'],
  C12: ['C', 'C1'],
};
const aboveOf = (id: string): readonly string[] => above[id] ?? [];
const toggle = (terms: Terms, id: string): Terms => toggled(terms, id, aboveOf(id), aboveOf);
const ticks = (terms: Terms): readonly string[] =>
  ['C', 'C1', 'C11', 'C12', 'C2'].map((id) => tickOf(terms, id, aboveOf(id), aboveOf));

test('terms are written as branches, as single terms and as either, and read again', (t) => {
  const cases: readonly (readonly [Terms, View['filters']])[] = [
    [none, undefined],
    [{ ...none, under: ['C1'] }, [under(['C1'])]],
    [{ ...none, under: ['C'], except: ['C2'] }, [under(['C'], ['C2'])]],
    [{ ...none, only: ['C1'] }, [{ op: 'in', content: { fieldName: 'code', value: ['C1'] } }]],
    [
      { ...none, under: ['C2'], only: ['C1'] },
      [{ op: 'or', content: [under(['C2']), { op: 'in', content: { fieldName: 'code', value: ['C1'] } }] }],
    ],
    [{ ...none, under: ['C1'], isExcluded: true }, [{ op: 'not', content: [under(['C1'])] }]],
  ];
  for (const [terms, filters] of cases) {
    const view = withTerms({}, 'code', terms);
    t.deepEqual(view.filters, filters);
    t.deepEqual(termsOf(view, 'code'), terms);
    t.is(conditionsOn(view, 'code').length, filters === undefined ? 0 : 1);
  }
});

test('terms take the place of those before; none removes the condition; others stay', (t) => {
  const view: View = { filters: [lung, under(['C1'])] };
  t.deepEqual(withTerms(view, 'code', { ...none, under: ['C2'] }).filters, [lung, under(['C2'])]);
  t.deepEqual(withTerms(view, 'code', none).filters, [lung]);
  t.deepEqual(termsOf({ filters: [lung] }, 'code'), none);
});

test('a tick holds for everything under a term, and in part for what stands above', (t) => {
  t.deepEqual(ticks(none), ['none', 'none', 'none', 'none', 'none']);
  t.deepEqual(ticks(toggle(none, 'C1')), ['some', 'all', 'all', 'all', 'none']);
  t.deepEqual(ticks(toggle(none, 'C')), ['all', 'all', 'all', 'all', 'all']);
  t.deepEqual(ticks(toggledOnly(none, 'C1')), ['some', 'some', 'none', 'none', 'none']);
});

test('a term below a ticked one is left out, and counts again', (t) => {
  const without = toggle(toggle(none, 'C'), 'C12');
  t.deepEqual(without, { ...none, under: ['C'], except: ['C12'] });
  t.deepEqual(ticks(without), ['some', 'some', 'all', 'none', 'all']);
  t.deepEqual(toggle(without, 'C12'), { ...none, under: ['C'] });
  t.deepEqual(toggle(without, 'C1'), { ...none, under: ['C'] });
  t.deepEqual(toggle(toggle(without, 'C'), 'C'), none);
});

test('a ticked term takes in those below it, and nothing is left out of nothing', (t) => {
  const both = toggle(toggle(none, 'C11'), 'C2');
  t.deepEqual(both.under, ['C11', 'C2']);
  t.deepEqual(toggle(both, 'C'), { ...none, under: ['C'] });
  t.deepEqual(toggle(toggle(none, 'C1'), 'C1'), none);
  t.deepEqual(toggledOnly(toggledOnly(none, 'C'), 'C'), none);
});

test('terms that are wanted together are looked up by one request, by their exact ids', async (t) => {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url!);
    const ids = new URL(request.url!, 'http://localhost').searchParams.getAll('id');
    const found = ids.filter((id) => id !== 'none').map((id) => ({ id, label: `Label of ${id}` }));
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ found }));
  });
  setBase(new URL('/', (await listening(t, server)).url));
  const catalogue = { source: { id: 'art', kind: 'catalogue' } } as Catalogue;
  const client = new QueryClient();
  const label = async (id: string, hierarchy = 'h') =>
    (await client.fetchQuery(termQuery(catalogue, { hierarchy } as Field, id)))?.label;
  const found = await Promise.all([label('a b'), label('A b'), label('none'), label('a b'), label('x', 'g')]);
  t.deepEqual(found, ['Label of a b', 'Label of A b', undefined, 'Label of a b', 'Label of x']);
  t.deepEqual(requests.toSorted(), [
    '/introspection/art/hierarchies/g?id=x&limit=50',
    '/introspection/art/hierarchies/h?id=a+b&id=A+b&id=none&limit=50',
  ]);
  await Promise.all(Array.from({ length: 60 }, (_, at) => label(`t${at}`)));
  t.is(requests.length, 4);
});

test('a mark of a chart adds a branch where there is a hierarchy, and a value elsewhere', (t) => {
  const code = { path: 'code', hierarchy: 'h' };
  const one = withMore({}, code, 'C1');
  t.deepEqual(one, { filters: [under(['C1'])] });
  t.deepEqual(withMore(withMore(one, code, 'C2'), code, 'C1'), { filters: [under(['C1', 'C2'])] });
  const site = { path: 'site' };
  const values = (view: View) =>
    view.filters?.map((filter) => 'value' in filter.content && filter.content.value);
  t.deepEqual(values(withMore({ filters: [lung] }, site, 'Skin')), [['Lung', 'Skin']]);
  t.deepEqual(values(withMore({}, code, '__missing__')), [['__missing__']]);
});

test('a mark takes the place of what is excluded, and counts again where it was left out', (t) => {
  const code = { path: 'code', hierarchy: 'h' };
  const skin = { op: 'in', content: { fieldName: 'site', value: ['Skin'] } } as const;
  t.deepEqual(withMore({ filters: [{ ...lung, op: 'not-in' }] }, { path: 'site' }, 'Skin').filters, [skin]);
  const excluded = withTerms({}, 'code', { ...none, under: ['C1'], isExcluded: true });
  t.deepEqual(withMore(excluded, code, 'C2').filters, [under(['C2'])]);
  const without = withTerms({}, 'code', { ...none, under: ['C'], except: ['C12'] });
  t.deepEqual(termsOf(withMore(without, code, 'C12'), 'code'), { ...none, under: ['C', 'C12'] });
  const branch = withTerms({}, 'code', { ...none, under: ['C'], except: ['C1', 'C2'] });
  const again = termsOf(withMore(branch, code, 'C12', aboveOf('C12')), 'code');
  t.deepEqual(again, { ...none, under: ['C', 'C12'], except: ['C2'] });
  const some = withMore({ filters: [under(['C1'])] }, code, '__missing__');
  t.deepEqual(termsOf(some, 'code'), { ...none, under: ['C1'], only: ['__missing__'] });
});
