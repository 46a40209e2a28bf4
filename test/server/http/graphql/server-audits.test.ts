import test from 'ava';
import { auditServer } from 'graphql-http';
import { runApp } from '../running-app.ts';

/** 400 as the specification's newer media type has it, whatever is accepted: proxies and logs recognize a refusal by it. */
const refusedWith400 = 'a document or variables that cannot be run are refused with 400';
/** Extensions that are not an object mean nothing here, and clients that send them are served. */
const ignored = 'extensions that are not an object are ignored';

/** What the audits of graphql-http do not call ok, each with our reason; none of them is a MUST. */
const notOk: Readonly<Record<string, string>> = {
  'SHOULD use 200 status code on document parsing failure when accepting application/json': refusedWith400,
  'SHOULD use 200 status code on document validation failure when accepting application/json': refusedWith400,
  'SHOULD use a status code of 200 on variable coercion failure when accepting application/json':
    refusedWith400,
  'MAY use 400 status code on number {extensions} parameter': ignored,
  'MAY use 400 status code on boolean {extensions} parameter': ignored,
  'MAY use 400 status code on array {extensions} parameter': ignored,
};

test('GraphQL over HTTP passes every audit of graphql-http but those named here', async (t) => {
  const app = await runApp(t);
  const results = await auditServer({ url: `${app.url}/graphql` });
  t.is(results.length, 61);
  const found = results.filter(({ status }) => status !== 'ok').map(({ name }) => name);
  t.deepEqual(found.sort(), Object.keys(notOk).sort());
  t.deepEqual(
    results.filter(({ status }) => status === 'error'),
    [],
  );
});
