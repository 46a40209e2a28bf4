import test from 'ava';
import { isWhole, newPart } from '../../../src/federation/download/node-part.ts';
import { networkFields } from '../../../src/federation/nodes/network-fields.ts';
import { plan } from '../../../src/federation/query/plan.ts';
import { silentStatus } from '../../../src/federation/remote/levels.ts';
import { fieldsOf } from '../collection.ts';
import { countsOnly, nodeView } from '../node-fixtures.ts';

test('rows that nodes of a network withhold are not awaited, and the file is not whole without them', (t) => {
  const nodes = [nodeView('eu', fieldsOf({ id: 'keyword' }))];
  const [one] = plan(countsOnly, networkFields(new Map(), nodes), nodes);
  const withheld = { tier: 'counts', threshold: 10, counted: 'record', date: null } as const;
  const statuses = [
    { ...silentStatus('oslo', 'ok', ''), status: 'OK' as const, hits: 5 },
    { ...silentStatus('lyon', 'ok', ''), status: 'OK' as const, hits: 20, withheld },
  ];
  const answer = {
    ...{ total: 25, hits: [], facets: [], warnings: [] },
    nodes: { partial: false, statuses, coverage: () => [] },
  };
  const counted = { plan: one!, state: 'ok', code: null, reason: '', tookMs: 1, answer } as const;
  const part = newPart(counted, null);
  t.is(part.matches, 5);
  t.false(isWhole({ ...part, end: { kind: 'whole' }, received: 5, records: 5 }));
});
