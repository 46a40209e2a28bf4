import test from 'ava';
import { parseDocument } from '../../../../src/server/http/graphql/parse-document.ts';

const brackets = (count: number) => `${'{ a '.repeat(count)}${'}'.repeat(count)}`;

/** Why a document is refused; undefined: it is not. */
const refusal = (query: string): string | undefined => {
  const parsed = parseDocument(query);
  return parsed.kind === 'refused' ? `${parsed.code} ${parsed.message}` : undefined;
};
const tooDeep = 'GRAPHQL_VALIDATION_FAILED the document is nested deeper than 800 brackets';

test('800 brackets in each other are read, 801 are not', (t) => {
  t.is(refusal(brackets(800)), undefined);
  t.is(refusal(brackets(801)), tooDeep);
  t.is(refusal(brackets(799).replaceAll('a', `a(b: "${'1'.repeat(999)}")`)), undefined);
  t.is(refusal(brackets(801).padEnd(20_000)), tooDeep);
});

test('brackets beside each other, in texts and in comments do not count', (t) => {
  t.is(refusal('{ a } '.repeat(200)), undefined);
  t.is(refusal(`{ a(b: "${'{'.repeat(2000)}") } # ${'['.repeat(2000)}`), undefined);
});

test('what stops being GraphQL before it is too deep is left to the parser', (t) => {
  t.regex(refusal(`{ a(b: "${'{'.repeat(2000)}`)!, /Unterminated string/);
  t.is(refusal(`${'{'.repeat(2000)}"`), tooDeep);
});

test('a document of more tokens than are parsed is not read to its end', (t) => {
  t.is(refusal(`${'{ a } '.repeat(4_000)}${brackets(801)}`), tooDeep);
  t.regex(refusal(`${'{ a } '.repeat(5_000)}${brackets(801)}`)!, /more than the 15000 tokens/);
});
