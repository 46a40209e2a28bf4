import assert from 'node:assert/strict';
import { counts, extremes, matching, type Filter } from '../evaluate.ts';
import { shows } from '../portal.ts';
import { inEachPortal } from '../portals.ts';

const termFacets = ['sex', 'study.code', 'languages', 'specimens.tissue', 'specimens.samples.kind'];

const isIn = (fieldName: string, ...value: string[]): Filter => ({ op: 'in', content: { fieldName, value } });
const all = (...content: Filter[]): Filter => ({ op: 'and', content });

inEachPortal('facets count what is there', async (portal) => {
  await shows(() => portal.total(), matching(null).length);
  for (const field of termFacets) await shows(() => portal.counts(field), counts(field));
});

inEachPortal('a chosen value filters the table and the other facets, not its own', async (portal) => {
  const chosen = [isIn('sex', 'Female')];
  await portal.choose('sex', 'Female');
  await shows(() => portal.total(), matching(all(...chosen)).length);
  await shows(async () => [...new Set(await portal.column('sex'))], ['Female']);
  await shows(() => portal.counts('sex'), counts('sex'));
  for (const field of termFacets.slice(1)) await shows(() => portal.counts(field), counts(field, chosen));
});

inEachPortal('values of nested facets work together', async (portal) => {
  const tissue = isIn('specimens.tissue', 'Skin', 'Liver');
  const kind = isIn('specimens.samples.kind', 'RNA');
  await portal.choose('specimens.tissue', 'Skin');
  await portal.choose('specimens.tissue', 'Liver');
  await portal.choose('specimens.samples.kind', 'RNA');
  await shows(() => portal.total(), matching(all(tissue, kind)).length);
  await shows(() => portal.counts('sex'), counts('sex', [tissue, kind]));
  await shows(() => portal.counts('specimens.samples.kind'), counts('specimens.samples.kind', [tissue]));
});

inEachPortal('"No Data" finds the documents without a value', async (portal) => {
  await portal.choose('sex', '__missing__');
  await shows(() => portal.total(), matching(isIn('sex', '__missing__')).length);
});

inEachPortal('a chosen value is given up by choosing it again', async (portal) => {
  await portal.choose('study.code', 'ALPS');
  await shows(() => portal.total(), matching(isIn('study.code', 'ALPS')).length);
  await portal.choose('study.code', 'ALPS');
  await shows(() => portal.total(), matching(null).length);
});

inEachPortal('a boolean facet', async (portal) => {
  const yes = portal.facet('is_deceased').getByRole('button', { name: /Yes/ });
  await shows(() => yes.locator('.bucket-count').innerText(), String(counts('is_deceased').true));
  await yes.click();
  await portal.settled();
  await shows(() => portal.total(), matching(isIn('is_deceased', 'true')).length);
  await portal.facet('is_deceased').getByRole('button', { name: /No/ }).click();
  await portal.settled();
  await shows(() => portal.total(), matching(isIn('is_deceased', 'false')).length);
});

inEachPortal('a facet of whole numbers', async (portal) => {
  const { min, max } = extremes('age');
  const from = await portal.dragHandle('age', 'min', 0.2);
  const to = await portal.dragHandle('age', 'max', 0.8);
  assert.ok(min < from && from < to && to < max);
  const range = all(
    { op: '>=', content: { fieldName: 'age', value: from } },
    { op: '<=', content: { fieldName: 'age', value: to } },
  );
  await shows(() => portal.total(), matching(range).length);
  await shows(() => portal.counts('study.code'), counts('study.code', [range]));
});

inEachPortal('a facet of fractions', async (portal) => {
  const value = await portal.dragHandle('bmi', 'min', 0.55);
  assert.ok(value > extremes('bmi').min);
  const range = { op: '>=', content: { fieldName: 'bmi', value } };
  await shows(() => portal.total(), matching(range).length);
});

inEachPortal('a facet of fractions inside nested objects', async (portal) => {
  const fieldName = 'specimens.samples.purity';
  const value = await portal.dragHandle(fieldName, 'max', 0.3);
  assert.ok(value < extremes(fieldName).max);
  const range = { op: '<=', content: { fieldName, value } };
  await shows(() => portal.total(), matching(range).length);
});

inEachPortal('a facet of dates', async (portal) => {
  await portal.pickDate('enrolled_on', 'start', '2014/03/15');
  await portal.pickDate('enrolled_on', 'end', '2017/06/15');
  const range = all(
    { op: '>=', content: { fieldName: 'enrolled_on', value: Date.parse('2014-03-15') } },
    { op: '<', content: { fieldName: 'enrolled_on', value: Date.parse('2017-06-16') } },
  );
  const found = matching(range);
  assert.ok(found.length > 0);
  await shows(() => portal.total(), found.length);
  await shows(() => portal.counts('sex'), counts('sex', [range]));
});
