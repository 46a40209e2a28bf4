import { readFileSync } from 'node:fs';
import test from 'ava';
import { errorCodes } from '../../src/lib/errors/errors.ts';
import { coverageStates, nodeStates } from '../../src/search/node-states.ts';

const document = readFileSync(new URL('../../docs/developers.md', import.meta.url), 'utf8');

/** The states in the first column of the table that begins with a heading. */
const listedUnder = (heading: string): readonly string[] => {
  const [, after = ''] = document.split(`\n| ${heading} |`);
  const rows = after.split('\n\n')[0]!.split('\n').slice(2);
  return rows.flatMap((row) => [...row.split('|')[1]!.matchAll(/`(\w+)`/g)].map(([, state]) => state!));
};

test('every state of a facet at a node is documented', (t) => {
  t.deepEqual(listedUnder('`coverage.state`').toSorted(), coverageStates.toSorted());
});

test('every state of a node in an answer is documented', (t) => {
  t.deepEqual(listedUnder('`state`').toSorted(), nodeStates.toSorted());
});

test('codes of errors that are documented are those that answers have', (t) => {
  const codes = listedUnder('code').filter((code) => !code.endsWith('_'));
  t.true(codes.length > 10);
  t.deepEqual(
    codes.filter((code) => !Object.hasOwn(errorCodes, code)),
    [],
  );
});
