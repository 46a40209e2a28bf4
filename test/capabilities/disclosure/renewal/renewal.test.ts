import test from 'ava';
import { holdChanges } from '../../../../src/capabilities/disclosure/renewal/hold-changes.ts';
import { compareTables, type PrivateTable } from '../../../../src/capabilities/disclosure/renewal/renewal.ts';
import type {
  Dimension,
  DimensionCell,
} from '../../../../src/capabilities/disclosure/table/released-table.ts';
import { below, seeded } from '../random-units.ts';
import { vectorsOf, type TestUnit } from './vectors.ts';

const values = (...names: readonly string[]): readonly DimensionCell[] => [
  ...names.map((value) => ({ kind: 'value', value }) as const),
  { kind: 'other' },
  { kind: 'missing' },
];
const dimension = (fieldName: string, cells: readonly DimensionCell[], isMulti = false): Dimension => ({
  ...{ fieldName, isMulti, cells },
});
const dimensions = [
  dimension('sex', values('female', 'male')),
  dimension('site', values('breast', 'lung', 'colon', 'skin')),
  dimension('stage', values('I', 'II', 'III', 'IV')),
  dimension('vital', values('alive', 'dead')),
];
const vital = 3;

const compared = (old: PrivateTable, now: PrivateTable, stableIds = true) =>
  compareTables(old, now, stableIds);

const table = (strata: Readonly<Record<string, readonly TestUnit[]>>, changes = {}): PrivateTable => ({
  threshold: 10,
  order: 3,
  dimensions,
  strata: Object.entries(strata).map(([value, units]) => vectorsOf(value === '' ? null : value, units)),
  ...changes,
});

/** Donors, all alive. */
const donors = (size: number, seed = 1): readonly TestUnit[] => {
  const random = seeded(seed);
  return Array.from({ length: size }, (_, number) => ({
    id: `D${seed} ${number}`,
    cells: [below(random, 2), below(random, 4), below(random, 4), 0],
  }));
};

const withCell = (unit: TestUnit, position: number, cell: number): TestUnit => ({
  ...unit,
  cells: unit.cells.map((before, index) => (index === position ? cell : before)),
});
const withDeaths = (units: readonly TestUnit[], count = 120): readonly TestUnit[] =>
  units.map((unit, index) => (index < count ? withCell(unit, vital, 1) : unit));
const renumbered = (units: readonly TestUnit[]): readonly TestUnit[] =>
  units.map((unit) => ({ ...unit, id: `new ${unit.id}` }));

const before = donors(1_500);
const died = withDeaths(before);
const last = died.at(-1)!;
const joiner: TestUnit = { id: 'J', cells: [1, 2, 3, 0] };

const changes = {
  'one who joins': [...died, joiner],
  'one who withdraws': died.slice(0, -1),
  'one who changes': [...died.slice(0, -1), withCell(last, 1, (Number(last.cells[1]) + 1) % 4)],
};

for (const [name, now] of Object.entries(changes)) {
  test(`120 deaths do not carry ${name} into the blocks without vital status`, (t) => {
    const { shortfalls, areIdsStable } = compared(table({ '': before }), table({ '': now }));
    t.true(areIdsStable);
    t.true(shortfalls.length > 0);
    for (const { changed, required, fieldNames } of shortfalls) {
      t.deepEqual([changed, required], [1, 100]);
      t.false(fieldNames!.includes('vital'));
    }
  });

  test(`renumbered pseudonyms do not hide ${name}`, (t) => {
    const { shortfalls, areIdsStable } = compared(table({ '': before }), table({ '': renumbered(now) }));
    t.false(areIdsStable);
    t.true(shortfalls.some(({ fieldNames }) => fieldNames!.join() === 'site'));
  });
}

test('120 deaths alone are renewed, and renumbered pseudonyms change nobody', (t) => {
  t.deepEqual(compared(table({ '': before }), table({ '': died })).shortfalls, []);
  t.like(compared(table({ '': before }), table({ '': renumbered(before) })), {
    changed: 0,
    shortfalls: [],
  });
});

test('as many changes as are required pass, and a change fewer does not', (t) => {
  const shortfallsOf = (deaths: number) =>
    compared(table({ '': before }), table({ '': withDeaths(before, deaths) })).shortfalls;
  t.deepEqual(shortfallsOf(100), []);
  t.deepEqual(
    new Set(shortfallsOf(99).map(({ changed, required }) => `${changed} of ${required}`)),
    new Set(['99 of 100']),
  );
});

test('reused numbers are noticed', (t) => {
  const shifted = [...died.slice(1), joiner].map(({ cells }, index) => ({ id: before[index]!.id, cells }));
  const again = compared(table({ '': before }), table({ '': shifted }));
  t.false(again.areIdsStable);
  t.true(again.shortfalls.length > 0);
});

test('where identifiers are declared not to be stable, renumbering some of them carries nobody', (t) => {
  const years = dimension('year', values(...Array.from({ length: 60 }, (_, year) => String(year))));
  const fine = { dimensions: [...dimensions, years] };
  const random = seeded(3);
  const units = before.map(({ id, cells }): TestUnit => ({ id, cells: [...cells, below(random, 60)] }));
  const now = withDeaths(units);
  const part = [
    ...renumbered(now.slice(0, 300)),
    ...now.slice(300),
    { id: 'J', cells: [...joiner.cells, 5] },
  ];
  const { areIdsStable, shortfalls } = compared(table({ '': units }, fine), table({ '': part }, fine), false);
  t.false(areIdsStable);
  t.true(shortfalls.length > 0);
});

test('honest churn passes although its counts differ by little', (t) => {
  // those who go and those who come differ in their cells, but hardly in how many there are of a sex
  const now = [...before.slice(300), ...donors(300, 7).map((unit) => withCell(unit, 2, 4))];
  const renewal = compared(table({ '': before }), table({ '': now }));
  t.true(renewal.areIdsStable);
  t.deepEqual(renewal.shortfalls, []);
});

test('other identifiers and large honest churn are compared by their counts', (t) => {
  const now = renumbered([...before, ...donors(300, 7)]);
  t.deepEqual(
    compared(table({ '': before }), table({ '': now })).shortfalls.filter(({ changed }) => changed < 100)
      .length,
    0,
  );
});

test('edges that moved and values in another order are compared by their common cells', (t) => {
  const swapped = dimensions.map((one, index) =>
    index === 1 ? dimension('site', values('lung', 'breast', 'colon', 'skin')) : one,
  );
  const recoded = (units: readonly TestUnit[]) =>
    units.map((unit) => withCell(unit, 1, [1, 0, 2, 3][Number(unit.cells[1])]!));
  const same = compared(table({ '': before }), table({ '': recoded(before) }, { dimensions: swapped }));
  t.like(same, { changed: 0, shortfalls: [] });
  const one = compared(
    table({ '': before }),
    table({ '': recoded([...before, joiner]) }, { dimensions: swapped }),
  );
  t.true(one.shortfalls.some(({ fieldNames, changed }) => fieldNames!.join() === 'site' && changed === 1));
});

test('values of texts and edges of numbers, which the field has now, are compared by what both have in common', (t) => {
  const ages = (cells: readonly DimensionCell[]) => [dimension('age', cells)];
  const texts = ages(values('12', 'elderly'));
  const numbers = ages([
    { kind: 'range', from: null, to: 60 },
    { kind: 'range', from: 60, to: null },
    { kind: 'missing' },
  ]);
  const units = (cells: readonly number[]): readonly TestUnit[] =>
    Array.from({ length: 300 }, (_, number) => ({
      id: `D${number}`,
      cells: [cells[number % cells.length]!],
    }));
  const [texted, numbered] = [
    table({ '': units([0, 3]) }, { dimensions: texts }),
    table({ '': units([0, 2]) }, { dimensions: numbers }),
  ];
  t.like(compared(texted, numbered), { changed: 0, shortfalls: [] });
  t.like(compared(numbered, texted), { changed: 0, shortfalls: [] });
  const starting = (...starts: readonly string[]) =>
    ages([...starts.map((pattern) => ({ kind: 'pattern', pattern }) as const), { kind: 'missing' }]);
  const [short, long] = [
    table({ '': units([0, 1]) }, { dimensions: starting('C5*') }),
    table({ '': units([0, 2, 1, 2]) }, { dimensions: starting('C50*', 'C51*') }),
  ];
  t.like(compared(short, long), { changed: 0, shortfalls: [] });
  t.like(compared(long, short), { changed: 0, shortfalls: [] });
});

test('a stratum renamed, merged or split is compared with what it was', (t) => {
  const [north, south] = [donors(600, 1), donors(600, 2)];
  const old = table({ north, south });
  const renamed = compared(old, table({ North: [...withDeaths(north), joiner], south }));
  t.true(renamed.shortfalls.some(({ stratum, changed }) => stratum === 'north -> North' && changed === 1));
  const merged = compared(old, table({ both: [...north, ...withDeaths(south), joiner] }));
  t.true(merged.shortfalls.some(({ stratum, changed }) => stratum === null && changed === 1));
  const split = compared(
    table({ both: [...north, ...south] }),
    table({ north: [...north, joiner], south: withDeaths(south) }),
  );
  t.true(split.shortfalls.some(({ stratum, changed }) => stratum === null && changed === 1));
  const small = compared(old, table({ both: [...north, ...south], west: [joiner] }));
  t.true(small.shortfalls.some(({ changed }) => changed === 1));
  t.deepEqual(compared(old, table({ both: [...north, ...south] })).shortfalls, []);
});

test('units that move between strata do not carry another unit', (t) => {
  const [north, south] = [donors(600, 1), donors(600, 2)];
  const moved = north.slice(0, 150);
  const now = table({ north: north.slice(150), south: [...south, ...moved, joiner] });
  const { shortfalls } = compared(table({ north, south }), now);
  t.true(shortfalls.length > 0);
  for (const { stratum, changed } of shortfalls) t.deepEqual([stratum, changed], [null, 1]);
});

test('one unit with many values of a list is one unit, whatever its identifier', (t) => {
  const genes = values(...Array.from({ length: 60 }, (_, gene) => `g${gene}`));
  const lists = [dimension('genes', genes, true)];
  const units = before.map(({ id }, index): TestUnit => ({ id, cells: [[index % 60]] }));
  const many: TestUnit = { id: 'J', cells: [Array.from({ length: 60 }, (_, gene) => gene)] };
  const old = table({ '': units }, { dimensions: lists });
  for (const now of [units, renumbered(units)]) {
    const { shortfalls } = compared(old, table({ '': [...now, many] }, { dimensions: lists }));
    t.deepEqual(
      shortfalls.map(({ fieldNames, changed }) => [fieldNames!.join(), changed]),
      [
        ['', 1],
        ['genes', 1],
        ['genes,genes', 1],
      ],
    );
  }
});

test("few units pass where no count differs: two who have each other's cells", (t) => {
  const pair: readonly TestUnit[] = [0, 1].map((site) => ({ id: `pair ${site}`, cells: [0, site, 0, 0] }));
  const swapped = pair.map((unit, index) => withCell(unit, 1, 1 - index));
  const renewal = compared(table({ '': [...before, ...pair] }), table({ '': [...before, ...swapped] }));
  t.deepEqual([renewal.areIdsStable, renewal.changed, renewal.shortfalls], [true, 2, []]);
});

test('where less than half of the identifiers are left, only counts are believed', (t) => {
  const others = donors(900, 7).map((unit) => withCell(unit, 2, 4));
  const comparedWith = (left: number) =>
    compared(table({ '': before }), table({ '': [...before.slice(0, left), ...others] })).areIdsStable;
  t.deepEqual([comparedWith(749), comparedWith(750)], [false, true]);
});

test('one percent of many units is required', (t) => {
  const many = donors(20_000);
  const { shortfalls } = compared(table({ '': many }), table({ '': withDeaths(many, 150) }));
  t.deepEqual(
    new Set(shortfalls.map(({ changed, required }) => `${changed} of ${required}`)),
    new Set(['150 of 200']),
  );
});

test('those who join are held while they are fewer than required', (t) => {
  const joiners = ['a', 'b', 'c'].map((id): TestUnit => ({ id, cells: [0, 0, 0, 0] }));
  const [old, next] = [vectorsOf(null, before), vectorsOf(null, [...before, ...joiners])];
  const held = (required: number) => holdChanges(old, next, dimensions, { required, holdsMoves: false });
  t.like(held(3), { waiting: [], waitingUnits: 0, isFormer: false });
  t.is(held(3).vectors.ids.length, before.length + 3);
  t.deepEqual(held(4).waiting, [{ dimension: null, units: 3 }]);
  t.like(held(4), { waitingUnits: 3, isFormer: true });
  t.is(held(4).vectors.ids.length, before.length);
});
