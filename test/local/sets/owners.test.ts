import test from 'ava';
import { TributaryError } from '../../../src/lib/errors/errors.ts';
import type { JsonObject } from '../../../src/lib/json/json.ts';
import type { Sqon } from '../../../src/sqon/ast.ts';
import { leaf } from '../../../src/sqon/ast.ts';
import type { RequestContext } from '../../../src/search/request-context.ts';
import { openSets } from '../../../src/local/sets/open-sets.ts';
import { contextFor } from '../../search/request-context.ts';
import { contextWith } from '../catalogue-fixture.ts';
import { library, run } from './library.ts';

const issuer = 'https://id.example.org';
const asSubject = (sub: string, iss = issuer, access: Sqon | null = null): RequestContext =>
  contextFor({ accessFilter: () => access, subject: () => JSON.stringify([iss, sub]) });
const [ann, bob, star] = [asSubject('ann'), asSubject('bob'), asSubject('*')];
const anonymous = contextWith();

const saving = `mutation($sharedWith: [String]) {
  saveSet(type: book, path: "title", sqon: {}, userId: "team", sharedWith: $sharedWith) { setId } }`;
const listing =
  '{ sets { hits { total edges { node { setId } } } aggregations { setId { bucket_count } } } }';
const using = `query($set: String!) { book { hits(filters: { op: "in", content: { fieldName: "title", value: [$set] } }) { total } } }`;

/** A catalogue with sets, and what callers may do with them. */
const opened = async () => {
  const catalogue = await (await library()).open();
  const save = async (context: RequestContext, sharedWith?: readonly string[]): Promise<string> => {
    const { data, errors } = await run(catalogue, saving, { sharedWith }, context);
    if (errors.length > 0) throw new Error(errors.join());
    return (data as { saveSet: { setId: string } }).saveSet.setId;
  };
  const list = async (context: RequestContext): Promise<readonly string[]> => {
    const { data } = await run(catalogue, listing, {}, context);
    const { hits, aggregations } = (
      data as {
        sets: {
          hits: { total: number; edges: readonly { node: { setId: string } }[] };
          aggregations: { setId: { bucket_count: number } };
        };
      }
    ).sets;
    const ids = hits.edges.map(({ node }) => node.setId).sort();
    if (hits.total !== ids.length || aggregations.setId.bucket_count !== ids.length)
      throw new Error('facets and totals count other sets than are listed');
    return ids;
  };
  const use = async (context: RequestContext, setId: string): Promise<string> =>
    (await run(catalogue, using, { set: `set_id:${setId}` }, context)).errors.join() || 'used';
  return { catalogue, save, list, use };
};

test('verified callers list and use their own sets and those that were shared with them', async (t) => {
  const { save, list, use } = await opened();
  const own = await save(ann);
  const shared = await save(ann, ['bob']);
  const forAll = await save(ann, ['*']);
  const nobodys = await save(anonymous);
  const unknown = (setId: string) => `there is no saved set "${setId}"`;
  for (const [name, context, sets] of [
    ['its owner', ann, [own, shared, forAll]],
    ['whom it was shared with', bob, [shared, forAll]],
    ['the subject of that name at another issuer', asSubject('bob', 'https://other.example.org'), [forAll]],
    ['a subject that looks like a pattern', star, [forAll]],
    ['a caller without a token', anonymous, [nobodys]],
  ] as const) {
    t.deepEqual(await list(context), [...sets].sort(), name);
    for (const setId of [own, shared, forAll, nobodys])
      t.is(
        await use(context, setId),
        (sets as readonly string[]).includes(setId) ? 'used' : unknown(setId),
        name,
      );
  }
});

test('a shared set is still only there under the filter it was saved with', async (t) => {
  const { save, list, use } = await opened();
  const short = leaf('in', 'pages', [80]);
  const shared = await save(asSubject('ann', issuer, short), ['bob']);
  t.deepEqual(await list(asSubject('bob', issuer, leaf('gt', 'pages', [100]))), []);
  t.not(await use(asSubject('bob', issuer, leaf('gt', 'pages', [100])), shared), 'used');
  t.deepEqual(await list(asSubject('bob', issuer, short)), [shared]);
});

test('callers without a token cannot share, and no client names another as the owner', async (t) => {
  const { catalogue } = await opened();
  const refused = await run(catalogue, saving, { sharedWith: ['bob'] }, anonymous);
  t.deepEqual(refused.codes, ['UNAUTHENTICATED']);
});

test('sets of the established server become open to owners, unless the mapping may not grow', async (t) => {
  const { engine, open } = await library();
  const {
    owner: _owner,
    sharedWith: _sharedWith,
    ...older
  } = (await import('../../../src/local/sets/set-index.ts')).setProperties;
  await engine.manage({
    kind: 'create',
    index: 'kept-sets',
    mapping: { dynamic: false, properties: older as JsonObject },
  });
  const catalogue = await open();
  t.deepEqual((await run(catalogue, saving, {}, ann)).errors, []);
  await engine.manage({
    kind: 'create',
    index: 'fixed-sets',
    mapping: { dynamic: false, properties: older as JsonObject },
  });
  const fixed = openSets(
    {
      ...engine,
      manage: async (action) => {
        if (action.kind === 'extend') throw new TributaryError('permission_denied', 'read only');
        return engine.manage(action);
      },
    },
    'fixed-sets',
  );
  const withFixed = { ...catalogue, sets: fixed };
  t.deepEqual((await run(withFixed, saving, {}, ann)).codes, ['permission_denied']);
  t.deepEqual((await run(withFixed, saving, {}, anonymous)).errors, []);
});
