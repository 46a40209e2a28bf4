import test from 'ava';
import type { Coverage, Facet, NodePart } from '../../../portal/src/api/answer.ts';
import type { Filter } from '../../../portal/src/api/filter.ts';
import { lackOf } from '../../../portal/src/api/lack.ts';
import { coveredIn } from '../../../portal/src/api/questions.ts';
import { coveredBy, coveredRecords, lackingNodes, whyEmpty } from '../../../portal/src/look/honest.ts';

const on = (fieldName: string, op: 'in' | 'not-in' | 'gte' = 'in'): Filter => ({
  op,
  content: { fieldName, value: ['x'] },
});
const and = (...content: Filter[]): Filter => ({ op: 'and', content });
const or = (...content: Filter[]): Filter => ({ op: 'or', content });
const not = (...content: Filter[]): Filter => ({ op: 'not', content });

test('a condition on a field that an institution does not record makes its zero meaningless', (t) => {
  const filter = and(on('title'), or(on('gender'), on('gender', 'gte')));
  t.deepEqual(lackOf(filter, ['gender', 'facet']), { paths: ['gender'], decides: true });
  t.deepEqual(lackOf(filter, ['facet']), { paths: [], decides: false });
  t.deepEqual(lackOf(null, ['gender']), { paths: [], decides: false });
});

test('an exclusion holds where the field is missing, so that the zero is a count', (t) => {
  const decides = (filter: Filter): boolean => lackOf(filter, ['gender']).decides;
  t.false(decides(on('gender', 'not-in')));
  t.false(decides(and(on('gender', 'not-in'), on('title'))));
  t.true(decides(and(on('gender'), on('title'))));
  t.false(decides(or(on('gender'), on('title'))));
  t.true(decides(or(on('gender'), on('gender', 'gte'))));
  t.false(decides(not(on('gender'))));
  t.true(decides(not(on('gender', 'not-in'))));
  t.true(decides(not(on('gender', 'not-in'), on('title'))));
  t.false(decides(and()));
  t.deepEqual(lackOf(on('gender', 'not-in'), ['gender']).paths, ['gender']);
});

test('whether a value is missing is unknown where the field is, so that neither zero is a count', (t) => {
  const missing = (op: 'in' | 'not-in' | 'is'): Filter => ({
    op,
    content: { fieldName: 'gender', value: ['__missing__'] },
  });
  const decides = (filter: Filter): boolean => lackOf(filter, ['gender']).decides;
  t.true(decides(missing('in')));
  t.true(decides(missing('not-in')));
  t.true(decides(not(missing('in'))));
  t.true(decides(not(missing('not-in'))));
  t.true(decides(not(not(missing('in')))));
  t.true(decides(missing('is')));
  t.false(decides(not(missing('is'))));
});

test('a search lacks nothing', (t) => {
  const search: Filter = { op: 'search', content: { fieldNames: ['gender'], value: 'x' } };
  t.deepEqual(lackOf(and(search, on('gone')), ['gender', 'gone']), { paths: ['gone'], decides: true });
});

test('of those that answered, some lack a field that decides', (t) => {
  const node = (nodeId: string, hits: number | null, decides = false) =>
    ({
      name: nodeId,
      hits,
      state: hits === null ? 'timeout' : 'ok',
      lack: { paths: ['gender'], decides },
    }) as unknown as NodePart;
  const nodes = [node('tate', 0), node('carnegie', 0, true), node('moma', null, true)];
  t.deepEqual(lackingNodes({ nodes }), ['carnegie']);
});

test('who refuses a filter withholds its numbers; who fails did not answer', (t) => {
  const node = (nodeId: string, state: string) =>
    ({ nodeId, state, lack: { paths: [], decides: false } }) as unknown as NodePart;
  const nodes = [node('guarded', 'refused'), node('down', 'unreachable'), node('slow', 'pending')];
  const coverage = nodes.map(({ nodeId }) => ({
    nodeId,
    state: 'failed' as const,
    docs: null,
    reason: null,
  }));
  const shown =
    coveredIn<{ readonly coverage: readonly Coverage[] | null }>(nodes, { coverage }).coverage ?? [];
  t.deepEqual(
    shown.map(({ state }) => state),
    ['withheld', 'failed', 'pending'],
  );
});

test('what an institution that withholds records does not release is not "not recorded"', (t) => {
  const node = (nodeId: string, disclosure: object | null) =>
    ({
      nodeId,
      state: 'ok',
      errors: '',
      disclosure,
      lack: { paths: [], decides: false },
    }) as unknown as NodePart;
  const nodes = [node('guarded', { tier: 'counts' }), node('open', null)];
  const coverage = nodes.map(({ nodeId }): Coverage => ({ nodeId, state: 'notCovered', docs: null }));
  t.deepEqual(
    coveredIn<{ readonly coverage: readonly Coverage[] | null }>(nodes, { coverage }).coverage?.map(
      ({ state }) => state,
    ),
    ['withheld', 'notCovered'],
  );
});

test('a network that lacks some of its institutions is in the numbers, and not whole', (t) => {
  const node = (nodeId: string, errors: string) =>
    ({ nodeId, state: 'ok', hits: 5, errors, lack: { paths: [], decides: false } }) as unknown as NodePart;
  const nodes = [node('whole', ''), node('part', '1 of its 2 institutions did not answer')];
  const coverage = nodes.map(({ nodeId }): Coverage => ({ nodeId, state: 'answered', docs: 5 }));
  const facet = coveredIn(nodes, { coverage: coverage as readonly Coverage[] | null });
  t.deepEqual(
    facet.coverage?.map(({ state }) => state),
    ['answered', 'incomplete'],
  );
  t.is(coveredRecords(facet as Facet, null), 10);
  t.is(coveredBy(facet.coverage)?.answered, 1);
  t.is(whyEmpty({ coverage: facet.coverage?.slice(1) ?? null }), 'none');
});
