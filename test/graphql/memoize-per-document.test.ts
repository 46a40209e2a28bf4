import test from 'ava';
import { buildSchema, execute, parse, type GraphQLResolveInfo } from 'graphql';
import { memoizePerDocument } from '../../src/graphql/memoize-per-document.ts';
import { selectedFields } from '../../src/graphql/selected-fields.ts';

const schema = buildSchema(`
  type Query { page(first: Int): Page }
  type Page { total(exact: Boolean): Int title: String }
`);

/** Plans the names and arguments selected below `page`, and counts how often. */
const planner = () => {
  let times = 0;
  const plan = memoizePerDocument((info: GraphQLResolveInfo) => {
    times++;
    const type = schema.getType('Page') as never;
    return selectedFields(info, type, info.fieldNodes).map(({ name, args }) => [name, { ...args }]);
  });
  const ask = (text: string) => {
    const document = parse(text);
    return (variableValues: Record<string, unknown> = {}) => {
      const plans: unknown[] = [];
      const page = (_args: unknown, _context: unknown, info: GraphQLResolveInfo) =>
        void plans.push(plan(info));
      execute({ schema, document, rootValue: { page }, variableValues });
      return plans;
    };
  };
  return { ask, times: () => times };
};

test('a document that comes again is not planned again', (t) => {
  const { ask, times } = planner();
  const run = ask('{ page { title ...more } } fragment more on Page { total(exact: true) }');
  const first = run();
  t.deepEqual(first, [[['title', {}], ['total', { exact: true }]]]); // prettier-ignore
  t.deepEqual(run(), first);
  t.is(times(), 1);
});

test('variables of the field itself do not matter', (t) => {
  const { ask, times } = planner();
  const run = ask('query ($n: Int) { page(first: $n) { title } }');
  run({ n: 1 });
  run({ n: 2 });
  t.is(times(), 1);
});

test('a variable below the field, in an argument, a directive or a fragment, means planning anew', (t) => {
  const { ask, times } = planner();
  const inArgument = ask('query ($b: Boolean) { page { total(exact: $b) } }');
  t.deepEqual(inArgument({ b: true }), [[['total', { exact: true }]]]);
  t.deepEqual(inArgument({ b: false }), [[['total', { exact: false }]]]);
  const inDirective = ask('query ($b: Boolean!) { page { title @include(if: $b) total } }');
  t.deepEqual(inDirective({ b: false }), [[['total', {}]]]);
  t.deepEqual(inDirective({ b: true }), [[['title', {}], ['total', {}]]]); // prettier-ignore
  const inFragment = ask(
    'query ($b: Boolean!) { page { ...f } } fragment f on Page { title @skip(if: $b) total }',
  );
  t.deepEqual(inFragment({ b: true }), [[['total', {}]]]);
  t.deepEqual(inFragment({ b: false }), [[['title', {}], ['total', {}]]]); // prettier-ignore
  t.is(times(), 6);
});

test('two places in one document are two plans, and fields written twice are one', (t) => {
  const { ask, times } = planner();
  const run = ask('{ a: page { title } b: page { total } b: page { title } }');
  t.deepEqual(run(), [[['title', {}]], [['total', {}], ['title', {}]]]); // prettier-ignore
  run();
  t.is(times(), 2);
});

test('the same field under another selection of its siblings is another plan', (t) => {
  const { ask } = planner();
  const run = ask('query ($b: Boolean!) { page { title } page @include(if: $b) { total } }');
  t.deepEqual(run({ b: false }), [[['title', {}]]]);
  t.deepEqual(run({ b: true }), [[['title', {}], ['total', {}]]]); // prettier-ignore
  t.deepEqual(run({ b: false }), [[['title', {}]]]);
});

test('what is kept with a document holds nothing of the request it was planned for', (t) => {
  const seen: GraphQLResolveInfo[] = [];
  const plan = memoizePerDocument((info: GraphQLResolveInfo) => seen.push(info));
  const run = (text: string) => {
    const page = (_args: unknown, _context: unknown, info: GraphQLResolveInfo) => void plan(info);
    execute({ schema, document: parse(text), rootValue: { page }, variableValues: { n: 1, b: true } });
  };
  run('query ($n: Int) { page(first: $n) { title } }');
  run('query ($b: Boolean) { page { total(exact: $b) } }');
  const [kept, notKept] = seen.map(({ rootValue, variableValues }) => ({ rootValue, ...variableValues }));
  t.deepEqual(kept, { rootValue: undefined });
  t.like(notKept, { b: true });
});
