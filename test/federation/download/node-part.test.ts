import test from 'ava';
import { isWhole, newPart } from '../../../src/federation/download/node-part.ts';
import { networkFields } from '../../../src/federation/nodes/network-fields.ts';
import { plan } from '../../../src/federation/query/plan.ts';
import type { Reach } from '../../../src/search/nodes-answer.ts';
import { fieldsOf } from '../collection.ts';
import { countsOnly, nodeView } from '../node-fixtures.ts';

const nodes = [nodeView('eu', fieldsOf({ id: 'keyword' }))];
const [one] = plan(countsOnly, networkFields(new Map(), nodes), nodes);
const answered = { plan: one!, state: 'ok', code: null, reason: '', tookMs: 1 } as const;
const answer = { total: 25, hits: [], facets: [], warnings: [] };

test('rows that institutions of a network withhold are not awaited, and the file is not whole without them', (t) => {
  const part = newPart({ ...answered, answer: { ...answer, total: { lower: 25, upper: 34 } } }, null);
  t.is(part.matches, null);
  t.false(isWhole({ ...part, end: { kind: 'whole' }, received: 5, records: 5 }));
});

test('a file without some institutions of a network is not whole', (t) => {
  const end = { kind: 'whole' } as const;
  const whole = (reach?: Reach): boolean => {
    const part = newPart({ ...answered, answer: { ...answer, ...(reach && { reach }) } }, null);
    return isWhole({ ...part, end, received: 25, records: 25 });
  };
  t.true(whole());
  t.true(whole({ queried: 2, answered: 2 }));
  t.false(whole({ queried: 2, answered: 1 }));
});
