import test from 'ava';
import { Circulation, newSlack, surelyFree } from '../../../../src/capabilities/disclosure/audit/slack.ts';
import { freedomOf } from '../../../../src/capabilities/disclosure/audit/flow-network.ts';
import type { Random } from '../random-units.ts';
import { below, seeded } from '../random-units.ts';

/** A table with its margins and a total, each known to within a few units; some exactly, as known zeros are. */
const randomCirculation = (random: Random): Circulation => {
  const [rows, columns] = [2 + below(random, 4), 2 + below(random, 4)];
  const circulation = new Circulation(rows, columns);
  const { flow, lower, upper } = circulation;
  const cells = rows * columns;
  for (let cell = 0; cell < cells; cell += 1) {
    const count = below(random, 8);
    flow[cell] = count;
    flow[cells + Math.floor(cell / columns)]! += count;
    flow[cells + rows + (cell % columns)]! += count;
    flow[cells + rows + columns]! += count;
  }
  const width = 1 + below(random, 5);
  for (let arc = 0; arc < flow.length; arc += 1) {
    lower[arc] = Math.max(0, flow[arc]! - below(random, width));
    upper[arc] = flow[arc]! + below(random, width);
  }
  return circulation;
};

test('a cell that is free at a glance has as many values by maximum flow', (t) => {
  let [seen, overlooked] = [0, 0];
  for (let seed = 0; seed < 2_000; seed += 1) {
    const random = seeded(seed);
    const circulation = randomCirculation(random);
    const required = 2 + below(random, 6);
    const isFree = surelyFree(circulation, newSlack(circulation), required);
    for (let arc = 0; arc < circulation.flow.length; arc += 1) {
      const feasible = 1 + freedomOf(circulation, arc, 'up') + freedomOf(circulation, arc, 'down');
      if (isFree(arc)) {
        seen += 1;
        if (feasible < required) t.fail(`seed ${seed}, arc ${arc}: ${feasible} of ${required}`);
      } else if (feasible >= required) overlooked += 1;
    }
  }
  t.log(`${seen} arcs are free at a glance, ${overlooked} only by maximum flow`);
  t.true(seen > 5_000);
});
