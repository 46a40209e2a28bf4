import assert from 'node:assert/strict';
import { matching, type Filter } from '../evaluate.ts';
import { inEachPortal } from '../portals.ts';

const header = [
  'Donor',
  'Sex',
  'Age',
  'Body Mass Index',
  'Is Deceased',
  'Enrolled On',
  'Study Code',
  'Tissue',
];

const expectedLines = (filter: Filter | null) => [
  header,
  ...matching(filter).map((donor) => [
    donor.donor_id,
    donor.sex ?? '--',
    String(donor.age ?? '--'),
    String(donor.bmi),
    String(donor.is_deceased ?? '--'),
    donor.enrolled_on,
    donor.study.code,
    donor.specimens.map(({ tissue }) => tissue).join(', ') || '--',
  ]),
];

inEachPortal('the download button gives the filtered rows as tab-separated text', async (portal) => {
  await portal.choose('sex', 'Other');
  const { name, lines } = await portal.download();
  assert.equal(name, 'donors.tsv');
  const filter = { op: 'in', content: { fieldName: 'sex', value: ['Other'] } };
  assert.deepEqual(byFirstCell(lines), byFirstCell(expectedLines(filter)));
});

inEachPortal('the download button gives everything without a filter', async (portal) => {
  const { lines } = await portal.download();
  assert.deepEqual(byFirstCell(lines), byFirstCell(expectedLines(null)));
});

inEachPortal('the download button gives the rows that are ticked', async (portal) => {
  const ticked = ['DO-002', 'DO-007'];
  for (const id of ticked)
    await portal.page.locator(`tr[data-row-id="${id}"]`).getByLabel('Select this row').check();
  const { lines } = await portal.download();
  const filter = { op: 'in', content: { fieldName: 'donor_id', value: ticked } };
  assert.deepEqual(byFirstCell(lines), byFirstCell(expectedLines(filter)));
});

/** Nobody asks the download for an order. */
const byFirstCell = (lines: readonly (readonly string[])[]) => [
  lines[0],
  ...lines.slice(1).toSorted((left, right) => (left[0]! < right[0]! ? -1 : 1)),
];
