import test from 'ava';
import { parseText } from '../../../src/http/graphql/parse-document.ts';

const brackets = (count: number) => `${'{ a '.repeat(count)}${'}'.repeat(count)}`;

/** Why a document is refused, here and in the thread for long ones; undefined: it is not. */
const refusal = async (query: string): Promise<string | undefined> => {
  const parsed = await parseText(query, 'document');
  return parsed.kind === 'refused' ? `${parsed.code} ${parsed.message}` : undefined;
};
const tooDeep = (max: number): string =>
  `GRAPHQL_VALIDATION_FAILED the document is nested deeper than ${max} brackets`;

test('800 brackets in each other are read, 801 are not; 200 in long documents', async (t) => {
  t.is(await refusal(brackets(800)), undefined);
  t.is(await refusal(brackets(801)), tooDeep(800));
  t.is(await refusal(brackets(200).padEnd(20_000)), undefined);
  t.is(await refusal(brackets(199).replaceAll('a', `a(b: "${'1'.repeat(999)}")`)), undefined);
  t.is(await refusal(brackets(201).padEnd(20_000)), tooDeep(200));
});

test('brackets beside each other, in texts and in comments do not count', async (t) => {
  t.is(await refusal('{ a } '.repeat(200)), undefined);
  t.is(await refusal(`{ a(b: "${'{'.repeat(2000)}") } # ${'['.repeat(2000)}`), undefined);
});

test('what stops being GraphQL before it is too deep is left to the parser', async (t) => {
  t.regex((await refusal(`{ a(b: "${'{'.repeat(2000)}`))!, /Unterminated string/);
  t.is(await refusal(`${'{'.repeat(2000)}"`), tooDeep(800));
});

test('a document of more tokens than are parsed is not read to its end', async (t) => {
  t.is(await refusal(`${'{ a } '.repeat(30_000)}${brackets(801)}`), tooDeep(200));
  t.regex((await refusal(`${'{ a } '.repeat(34_000)}${brackets(801)}`))!, /more than the 100000 tokens/);
});
