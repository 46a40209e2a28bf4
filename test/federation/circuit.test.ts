import test from 'ava';
import { TributaryError } from '../../src/errors.ts';
import { withCircuit } from '../../src/federation/circuit.ts';
import type { CatalogueAnswer, CatalogueQuery } from '../../src/local/query.ts';
import { callerOf } from './node-fixtures.ts';

const query: CatalogueQuery = {
  filters: null,
  filterThemselves: false,
  includeMissing: true,
  facets: [],
  hits: null,
};
const answer: CatalogueAnswer = { total: null, hits: [], facets: [], warnings: [] };

/** A circuit on a clock of ours, and a node that fails with the code given. */
const openCircuit = () => {
  const node = {
    code: 'NODE_UNREACHABLE' as 'NODE_UNREACHABLE' | 'NODE_REFUSED' | null,
    asked: 0,
    nowMs: 1_000_000,
  };
  const circuit = withCircuit(
    async () => {
      node.asked += 1;
      if (node.code) throw new TributaryError(node.code, 'down');
      return answer;
    },
    () => node.nowMs,
  );
  const ask = async (): Promise<string> => {
    try {
      await circuit.search(query, callerOf());
      return 'ok';
    } catch (error) {
      return (error as TributaryError).code;
    }
  };
  return { node, circuit, ask };
};

test('opens after three failures to reach the node, and asks it no more', async (t) => {
  const { node, circuit, ask } = openCircuit();
  t.deepEqual([await ask(), await ask(), await ask(), await ask()], [
    'NODE_UNREACHABLE', 'NODE_UNREACHABLE', 'NODE_UNREACHABLE', 'NODE_CIRCUIT_OPEN',
  ]);
  t.is(node.asked, 3);
  t.like(circuit.open(), { reason: 'down', sinceMs: 1_000_000 });
}); // prettier-ignore

test('after a pause one probe goes through; failing doubles the pause, an answer closes the circuit', async (t) => {
  const { node, circuit, ask } = openCircuit();
  for (let round = 0; round < 3; round += 1) await ask();
  node.nowMs += 5_000;
  t.deepEqual(await Promise.all([ask(), ask()]), ['NODE_UNREACHABLE', 'NODE_CIRCUIT_OPEN']);
  node.nowMs += 9_999;
  t.is(await ask(), 'NODE_CIRCUIT_OPEN');
  node.nowMs += 1;
  node.code = null;
  t.is(await ask(), 'ok');
  t.is(circuit.open(), null);
  t.is(circuit.lastError(), null);
});

test('a node that answers with a refusal is reached', async (t) => {
  const { node, circuit, ask } = openCircuit();
  await ask();
  await ask();
  node.code = 'NODE_REFUSED';
  t.is(await ask(), 'NODE_REFUSED');
  node.code = 'NODE_UNREACHABLE';
  await ask();
  await ask();
  t.is(circuit.open(), null);
});
