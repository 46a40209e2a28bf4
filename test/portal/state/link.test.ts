import test from 'ava';
import fc from '../../fast-check.ts';
import { fileOf, hashOf, viewOf, viewOfFile } from '../../../portal/src/state/link.ts';
import type { View } from '../../../portal/src/state/view.ts';

test('an empty view has no hash', (t) => {
  t.is(hashOf({}), '');
  t.deepEqual(viewOf(''), { view: {}, isBroken: false });
  t.deepEqual(viewOf('#content'), { view: {}, isBroken: false });
});

test('every view comes back from its hash as it was', (t) => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.constantFrom('source', 'tab', 'filters', 'columns'), fc.jsonValue(), { minKeys: 1 }),
      (view) => {
        const written = JSON.parse(JSON.stringify(view)) as View;
        t.deepEqual(viewOf(hashOf(written)), { view: written, isBroken: false });
      },
    ),
  );
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

test('a view comes back from its file as it was; other files hold none', (t) => {
  const view = { tab: 'charts', filters: [{ op: 'in', content: { fieldName: 'a', value: ['ü'] } }] } as const;
  t.deepEqual(viewOfFile(fileOf(view)), view);
  for (const other of ['', '{', '[]', '{}', 'null', '{"tributary-view":2}']) t.is(viewOfFile(other), null);
});
