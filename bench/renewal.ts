/**
 * Simulates series of releases and prints how many come, how old they become, how many changes wait, and how many blocks
 * of any two of them differ by so few persons that the difference tells of one. Truth is counted by persons, whatever
 * identifiers the rule sees.
 *
 *   node bench/renewal.ts [trials] [largest cohort]     default: 40 30000
 */
import { compareTables, type PrivateTable } from '../src/capabilities/disclosure/renewal/renewal.ts';
import { chooseTable, type KeptRelease } from '../src/capabilities/disclosure/release/choose-table.ts';
import type { Dimension } from '../src/capabilities/disclosure/table/released-table.ts';
import { tellingBlocks } from '../test/capabilities/disclosure/renewal/telling-blocks.ts';
import { vectorsOf } from '../test/capabilities/disclosure/renewal/vectors.ts';
import { below, seeded, type Random } from '../test/capabilities/disclosure/random-units.ts';

/** Eight characteristics; the fifth is vital status. */
const sizes = [3, 6, 10, 4, 3, 5, 8, 4];
const vital = 4;
const [alive, dead] = [0, 1];
const order = 3;
const threshold = 10;
const dimensions = sizes.map((size, index): Dimension => ({
  fieldName: `d${index}`,
  isMulti: false,
  cells: Array.from({ length: size }, (_, value) => ({ kind: 'value', value: `v${value}` })),
}));

/** A person; the position in the list is who they are. */
type Person = readonly number[] | null;
type Cohort = readonly Person[];

const person = (random: Random): readonly number[] => {
  const profile = below(random, 6);
  return sizes.map((size, index) => {
    if (index === vital) return random() < 0.75 ? alive : dead;
    return random() < 0.5 ? (profile * (index + 3)) % size : Math.floor(size * random() ** 1.6);
  });
};

const cohortOf = (size: number, random: Random): Cohort => Array.from({ length: size }, () => person(random));

const withCell = (one: readonly number[], dimension: number, cell: number): readonly number[] =>
  one.map((before, index) => (index === dimension ? cell : before));

interface Rates {
  readonly come: number;
  readonly gone: number;
  readonly deaths: number;
  readonly corrections: readonly number[];
}

const open: Rates = { come: 0.02, gone: 0.003, deaths: 0.03, corrections: [0.004, 0.0005] };
const closed: Rates = { come: 0, gone: 0.001, deaths: 0.03, corrections: [0.004, 0.0005] };

const quarterLater = (cohort: Cohort, { come, gone, deaths, corrections }: Rates, random: Random): Cohort => {
  const size = cohort.filter((one) => one !== null).length;
  const later = cohort.map((one): Person => {
    if (one === null || random() < gone) return null;
    const died = one[vital] === alive && random() < deaths ? withCell(one, vital, dead) : one;
    return corrections.reduce<readonly number[]>(
      (changed, rate, index) =>
        random() < rate ? withCell(changed, 2 + index, below(random, sizes[2 + index]!)) : changed,
      died,
    );
  });
  return [...later, ...Array.from({ length: Math.round(come * size) }, () => person(random))];
};

/** @param idOf how a person is identified in the records */
const tableOf = (cohort: Cohort, idOf: (person: number) => string = String): PrivateTable => ({
  threshold,
  order,
  dimensions,
  strata: [
    vectorsOf(
      null,
      cohort.flatMap((cells, index) => (cells === null ? [] : [{ id: idOf(index), cells }])),
    ),
  ],
});

interface Series {
  readonly published: number;
  readonly oldest: number;
  readonly waiting: number;
  readonly telling: number;
}

/** Twenty quarters after the first release. @param waits whether small changes wait, or the whole release */
const seriesOf = async (size: number, rates: Rates, waits: boolean, quarters = 20): Promise<Series> => {
  const random = seeded(size);
  let cohort = cohortOf(size, random);
  const kept = [keptRelease(tableOf(cohort))];
  let [published, age, oldest, waiting, telling] = [0, 0, 0, 0, 0];
  for (let quarter = 0; quarter < quarters; quarter += 1) {
    cohort = quarterLater(cohort, rates, random);
    const now = tableOf(cohort);
    const { table, shortfalls, waitingUnits } = await chooseTable(() => now, {
      earlier: kept,
      former: waits ? kept.at(-1)! : null,
      stableIds: true,
    });
    if (shortfalls.length === 0) {
      telling += kept.reduce((sum, one) => sum + tellingBlocks(one.table, table), 0);
      kept.push(keptRelease(table));
      published += 1;
      age = 0;
    } else age += 1;
    waiting = Math.max(waiting, waitingUnits[0] ?? 0);
    oldest = Math.max(oldest, age);
  }
  return { published, oldest, waiting, telling };
};

const keptRelease = (table: PrivateTable): KeptRelease => {
  const strata = table.strata.map(({ value }) => ({ value, date: '' }));
  return { release: { date: '', strata } as unknown as KeptRelease['release'], table };
};

/** One person beside 120 changes of another characteristic. */
const trial = (kind: 'added' | 'removed' | 'changed', renumbered: boolean, seed: number) => {
  const random = seeded(seed);
  const before = cohortOf(3_000, random);
  let left = 120;
  const died = before.map((one) =>
    one !== null && one[vital] === alive && left-- > 0 ? withCell(one, vital, dead) : one,
  );
  const target = before.length - 1;
  const now =
    kind === 'added'
      ? [...died, person(random)]
      : died.map((one, index) => {
          if (index !== target || one === null) return one;
          return kind === 'removed' ? null : withCell(one, 2, (one[2]! + 1) % sizes[2]!);
        });
  const { shortfalls } = compareTables(
    tableOf(before),
    tableOf(now, renumbered ? (index) => `renumbered ${index}` : String),
    !renumbered,
  );
  return { isPublished: shortfalls.length === 0, telling: tellingBlocks(tableOf(before), tableOf(now)) };
};

const [trials = '40', largest = '30000'] = process.argv.slice(2);
for (const renumbered of [false, true])
  for (const kind of ['added', 'removed', 'changed'] as const) {
    const all = Array.from({ length: Number(trials) }, (_, seed) => trial(kind, renumbered, seed + 1));
    const published = all.filter(({ isPublished }) => isPublished);
    console.log(
      `one ${kind} beside 120 deaths${renumbered ? ', renumbered' : ''}: ${published.length} of ${all.length} published; blocks that would tell: ${Math.min(...all.map(({ telling }) => telling))} to ${Math.max(...all.map(({ telling }) => telling))}, that do: ${published.reduce((sum, { telling }) => sum + telling, 0)}`,
    );
  }
for (const [name, rates] of [
  ['open', open],
  ['closed', closed],
] as const)
  for (const size of [1_000, 3_000, 10_000, 30_000].filter((one) => one <= Number(largest)))
    for (const waits of [false, true]) {
      const { published, oldest, waiting, telling } = await seriesOf(size, rates, waits);
      console.log(
        `${name} cohort of ${size}, ${waits ? `small changes wait (at most ${waiting} persons)` : 'all or nothing'}: ${published} of 20 quarters published, a release became ${oldest} quarters older at most; blocks that tell: ${telling}`,
      );
    }
