import { isDeepStrictEqual } from 'node:util';
import test from 'ava';
import fc from '../../fast-check.ts';
import { hashOf, viewOf } from '../../../portal/src/state/link.ts';
import type { View } from '../../../portal/src/state/view.ts';

test('an empty view has no hash', (t) => {
  t.is(hashOf({}), '');
  t.deepEqual(viewOf(''), { view: {}, isBroken: false });
  t.deepEqual(viewOf('#content'), { view: {}, isBroken: false });
});

const texts = fc.array(fc.string());
const scalar = fc.oneof(fc.string(), fc.integer(), fc.boolean());
const { filter } = fc.letrec<{ filter: unknown }>((tie) => ({
  filter: fc.oneof(
    { depthSize: 'small' },
    fc.record({
      op: fc.constantFrom('in', 'between'),
      content: fc.record({ fieldName: fc.string(), value: fc.oneof(scalar, fc.array(scalar)) }),
    }),
    fc.record({
      op: fc.constantFrom('search', 'wildcard'),
      content: fc.record({ fieldNames: texts, value: fc.string() }),
    }),
    fc.record({ op: fc.constantFrom('and', 'or', 'not'), content: fc.array(tie('filter')) }),
  ),
}));
const views = fc.record(
  {
    source: fc.string(),
    tab: fc.constantFrom('table', 'charts', 'compare'),
    filters: fc.array(filter),
    columns: texts,
    sort: fc.array(fc.record({ fieldName: fc.string(), order: fc.constantFrom('asc', 'desc') })),
    cohorts: fc.array(fc.record({ name: fc.string(), filter: fc.oneof(fc.constant(null), filter) })),
    record: fc.record({ id: fc.string(), nodeId: fc.option(fc.string()) }),
    later: fc.jsonValue(),
  },
  { requiredKeys: [] },
);

test('every view comes back from its hash as it was', (t) => {
  t.notThrows(() =>
    fc.assert(
      fc.property(views, (view) => {
        const written = JSON.parse(JSON.stringify(view)) as View;
        const read = viewOf(hashOf(written));
        return !read.isBroken && isDeepStrictEqual(read.view, written);
      }),
    ),
  );
});

test('a link may hold a pattern, as other programs write it', (t) => {
  const view: View = { filters: [{ op: 'wildcard', content: { fieldNames: ['title'], value: '*lake*' } }] };
  t.deepEqual(viewOf(hashOf(view)), { view, isBroken: false });
});

test('a link whose parts have other forms is reported as broken, and draws the default view', (t) => {
  const nested = { op: 'and', content: [{ op: 'not', content: [null] }] };
  for (const view of [
    { source: {} },
    { tab: 'none' },
    { filters: 5 },
    { filters: [null] },
    { filters: [nested] },
    { columns: [{}] },
    { sort: 'up' },
    { filters: [{ op: 'in', content: { fieldName: 'a', value: { b: 1 } } }] },
    { filters: [{ op: 'under', content: { fieldName: 'a', value: ['b'], except: 'c' } }] },
    { filters: [{ op: 'under', content: { fieldName: 'a', value: ['b'], except: [{}] } }] },
    { filters: [{ op: 'search', content: { value: 'a' } }] },
    { nodes: [1] },
    { units: { a: 1 } },
    { sort: [{ fieldName: 'a', order: 'up' }] },
    { cohorts: [{ name: 'a' }] },
    { record: { id: 1, nodeId: null } },
  ]) {
    t.deepEqual(viewOf(hashOf(view as View)), { view: {}, isBroken: true }, JSON.stringify(view));
  }
});

test('a filter of 100 000 characters has a link', (t) => {
  const view: View = {
    filters: [
      {
        op: 'in',
        content: {
          fieldName: 'id',
          value: Array.from({ length: 12_500 }, (_, at) => `id-${String(at).padStart(5, '0')}`),
        },
      },
    ],
  };
  t.deepEqual(viewOf(hashOf(view)).view, view);
});

test('a damaged link, and one of another release, are reported as broken', (t) => {
  for (const hash of ['#v1=???', '#v1=AAAA', `${hashOf({ tab: 'charts' }).slice(0, -4)}`, '#v2=abc'])
    t.deepEqual(viewOf(hash), { view: {}, isBroken: true }, hash);
});
