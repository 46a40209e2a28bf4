import test from 'ava';
import type { Catalogue } from '../../../portal/src/api/catalogue.ts';
import type { PortalConfig } from '../../../portal/src/api/config.ts';
import type { Field, FieldKind } from '../../../portal/src/api/fields.ts';
import { timePath } from '../../../portal/src/explore/timeline-path.ts';
import { chooseCharts, startPaths } from '../../../portal/src/start/start-question.ts';
import { valuesFacet } from '../values-facet.ts';

const field = (path: string, kind: FieldKind, nodes: readonly string[] | null = null): Field => ({
  ...{ path, name: path, type: 'keyword', kind, unit: null, description: null, displayValues: {}, nodes },
});

const catalogueOf = (fields: readonly Field[]): Catalogue =>
  ({
    fields: new Map(fields.map((one) => [one.path, one])),
    facets: fields.map(({ path }) => path),
    nodes: ['a', 'b'].map((nodeId) => ({ nodeId, name: nodeId })),
  }) as unknown as Catalogue;

const configOf = (look: PortalConfig['look']) => ({ look }) as PortalConfig;

test('ids, titles and hidden facets are not candidates, and the time line is one wherever it stands', (t) => {
  const many = Array.from({ length: 20 }, (_, at) => field(`value${at}`, 'values'));
  const catalogue = catalogueOf([
    field('donor_id', 'values'),
    field('title', 'values'),
    field('hidden', 'values'),
    ...many,
    field('enrolled_on', 'dates'),
  ]);
  const paths = startPaths(configOf({ hiddenFacets: ['hidden'] }), catalogue);
  t.deepEqual(paths, [...many.slice(0, 14).map(({ path }) => path), 'enrolled_on']);
  t.deepEqual(startPaths(configOf({}), { ...catalogue, shownFacets: 4 }), ['hidden', 'value0']);
  t.deepEqual(startPaths(configOf({ charts: ['title', 'gone'] }), catalogue), ['title']);
  const charts = ['value1', 'value2', 'value3', 'value4'];
  t.deepEqual(startPaths(configOf({ charts }), catalogue), charts.slice(0, 3));
  const dated = {
    total: 10,
    facets: new Map([
      ['value1', valuesFacet({ a: 5, b: 5 })],
      ['enrolled_on', valuesFacet({ a: 1 })],
    ]),
  };
  t.deepEqual(chooseCharts(configOf({}), catalogue, dated, paths), ['enrolled_on', 'value1']);
});

test('the time line is of the date or year of the records that most institutions have', (t) => {
  const fields = [
    field('deaths', 'nested'),
    field('deaths.year', 'numbers'),
    field('released', 'dates', ['a']),
    field('year', 'numbers', ['a', 'b']),
    field('age', 'numbers'),
  ];
  const paths = fields.map(({ path }) => path);
  t.is(timePath(catalogueOf(fields), paths), 'year');
  t.is(timePath(catalogueOf(fields), paths.slice(0, 3)), 'released');
  t.is(timePath(catalogueOf(fields), ['age', 'deaths.year']), null);
});

test('charts are those whose few values divide most records, in the order of the facets', (t) => {
  const facets = new Map([
    ['name', valuesFacet({ one: 1, two: 1, three: 1 })],
    ['half', valuesFacet({ yes: 500, no: 500 })],
    ['same', valuesFacet({ all: 1000 })],
    ['site', valuesFacet({ lung: 300, breast: 300, colon: 300 })],
  ]);
  const paths = [...facets.keys()];
  const catalogue = catalogueOf(paths.map((path) => field(path, 'values')));
  const answer = { total: 1000, facets };
  t.deepEqual(chooseCharts(configOf({}), catalogue, answer, paths), ['half', 'site']);
  t.deepEqual(chooseCharts(configOf({ charts: ['same', 'name'] }), catalogue, answer, ['same', 'name']), [
    'same',
    'name',
  ]);
});

test('the first histogram is among the charts, awaited or not, unless it is empty', (t) => {
  const bins = (...counts: readonly number[]) => ({
    ...valuesFacet({}),
    ...{ kind: 'numbers', bins: counts.map((count) => ({ count })) },
  });
  const facets = new Map<string, unknown>([
    ['nobody', bins(0, 0)],
    ['sex', valuesFacet({ yes: 500, no: 500 })],
    ['size', bins(10, 990)],
    ['weight', bins(500, 500)],
  ]);
  const paths = ['nobody', 'age', 'sex', 'size', 'weight'];
  const kindOf = (path: string) => (path === 'sex' ? 'values' : 'numbers');
  const catalogue = catalogueOf(paths.map((path) => field(path, kindOf(path))));
  const answer = { total: 1000, facets: facets as never };
  t.deepEqual(chooseCharts(configOf({}), catalogue, answer, paths), ['age', 'sex']);
  const withoutAge = paths.filter((path) => path !== 'age');
  t.deepEqual(chooseCharts(configOf({}), catalogue, answer, withoutAge), ['sex', 'size']);
});
