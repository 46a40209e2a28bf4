import test from 'ava';
import { audit } from '../../../../src/capabilities/disclosure/audit/audit.ts';
import { countCells, publish } from '../../../../src/capabilities/disclosure/table/count-cells.ts';
import type { Dimension } from '../../../../src/capabilities/disclosure/table/released-table.ts';
import type { JsonObject } from '../../../../src/lib/json/json.ts';
import { drafted } from '../cohort.ts';
import { columnsOf } from '../random-units.ts';

const sexes = ['a', 'b'];
const sites = Array.from({ length: 10 }, (_, site) => `y${site}`);

/**
 * Of nine sites 19 and 11 units each, which are 30 together: who knows that everyone is a or b knows that at least 11
 * are b. Those nine make 99 of the at most 99 that are b, so that nobody is b at the first site.
 */
const units = [
  ...Array<[number, number]>(30).fill([0, 0]),
  ...sites
    .slice(1)
    .flatMap((_, site) => [
      ...Array<[number, number]>(19).fill([0, site + 1]),
      ...Array<[number, number]>(11).fill([1, site + 1]),
    ]),
];

const dimension = (fieldName: string, values: readonly string[], mandatory: boolean): Dimension => ({
  fieldName,
  isMulti: false,
  cells: [...values.map((value) => ({ kind: 'value', value }) as const), { kind: 'missing' }],
  ...(mandatory && { mandatory }),
});

const audited = (mandatory: boolean) => {
  const dimensions = [dimension('sex', sexes, mandatory), dimension('site', sites, false)];
  const columns = columnsOf({ dimensions, units: units.map((unit) => unit.map((cell) => [cell])) });
  const counts = countCells(columns, units.length, dimensions, 2);
  return audit(publish(counts, dimensions, { threshold: 10, order: 2 }), counts);
};

test('the audit takes into account that everyone knows a field to be mandatory', (t) => {
  t.deepEqual(audited(false).failures, []);
  const { failures, cells } = audited(true);
  const empty = [
    { dimension: 0, cell: 1 },
    { dimension: 1, cell: 0 },
  ];
  t.deepEqual(failures, [{ cell: empty, feasible: 1, knowing: 'release' }, ...failures.slice(1)]);
  // nobody without a sex is no secret, at any site
  t.is(cells, audited(false).cells - 1 - 11);
});

const documents: readonly JsonObject[] = units.map(([sex, site], unit) => ({
  donor_id: `D${unit}`,
  sex: sexes[sex]!,
  site: sites[site]!,
}));

test('"mandatory" of a dimension tells the audit, and is refused where records have no value', async (t) => {
  const release = (mandatory: boolean, more: readonly JsonObject[] = []) =>
    drafted([...documents, ...more], {
      order: 2,
      dimensions: [
        { fieldName: 'sex', values: sexes, other: false, ...(mandatory && { mandatory }) },
        { fieldName: 'site', values: sites, other: false },
      ],
    });
  t.deepEqual((await release(false)).audits[0]!.failures, []);
  t.is((await release(true)).audits[0]!.failures[0]!.feasible, 1);
  const error = await t.throwsAsync(release(true, [{ donor_id: 'without', site: 'y0' }]));
  t.regex(error!.message, /dimensions, sex: some units have no value, but it is declared to be mandatory/);
});
