import test from 'ava';
import type { Catalogue } from '../../../portal/src/api/catalogue.ts';
import type { Filter } from '../../../portal/src/api/filter.ts';
import { describeFilter } from '../../../portal/src/explore/sentence/describe-filter.ts';
import { de } from '../../../portal/src/i18n/de.ts';
import { en } from '../../../portal/src/i18n/en.ts';
import { fr } from '../../../portal/src/i18n/fr.ts';
import { formatsOf } from '../../../portal/src/i18n/formats.ts';

const field = (path: string, name: string, kind: string, type = 'keyword') =>
  [path, { path, name, kind, type }] as const;
const catalogue = {
  fields: new Map([
    field('site', 'Primary site', 'values'),
    field('alive', 'Alive', 'values', 'boolean'),
    field('age', 'Age', 'numbers'),
    field('on', 'Enrolled', 'dates'),
    field('year', 'Year begun', 'numbers'),
    field('specimens', 'Specimens', 'nested', 'nested'),
    field('specimens.type', 'Specimen type', 'values'),
    field('specimens.files', 'Files', 'nested', 'nested'),
    field('specimens.files.strategy', 'Strategy', 'values'),
  ]),
} as unknown as Catalogue;

const described = (filter: Filter, t = en, language = 'en'): string => {
  const { subject, verb, object } = describeFilter(filter, catalogue, { t, ...formatsOf(language) });
  return [subject, verb, object].filter((part) => part !== '').join(' ');
};

const on = (op: string, fieldName: string, value: unknown): Filter =>
  ({ op, content: { fieldName, value } }) as Filter;

test('conditions read as a sentence', (t) => {
  t.is(described(on('in', 'site', ['Lung', 'Skin'])), 'Primary site Lung or Skin');
  t.is(described(on('not-in', 'site', ['__missing__'])), 'Primary site is not No value');
  t.is(described(on('between', 'age', [40, 1200])), 'Age 40 to 1,200');
  t.is(described(on('between', 'age', 40)), 'Age 40');
  t.is(described(on('between', 'age', [50, 40, 60])), 'Age 40 to 60');
  t.is(described(on('>=', 'age', 1200)), 'Age >= 1,200');
  t.is(described(on('gte', 'on', '2024-02-01')), 'Enrolled from 1 Feb 2024');
  t.is(described(on('lt', 'on', '2024-02-01'), de, 'de'), 'Enrolled vor dem 01.02.2024');
  const days = on('between', 'on', ['2024-02-01', '2024-03-01']);
  t.is(described(days, fr, 'fr'), 'Enrolled du 1 févr. 2024 au 1 mars 2024');
  t.is(described(on('in', 'gone', ['a', 'b', 'c', 'd', 'e', 'f'])), 'gone a, b, c, d +2');
});

test('a pattern in several fields reads as words do', (t) => {
  const filter: Filter = { op: 'wildcard', content: { fieldNames: ['site', 'on'], value: '*lu*' } };
  t.is(described(filter), 'words “*lu*”');
});

test('true and false are words of the language', (t) => {
  t.is(described(on('in', 'alive', ['1'])), 'Alive Yes');
  t.is(
    described(on('not-in', 'alive', [false, '__missing__']), de, 'de'),
    'Alive ist nicht Nein oder Keine Angabe',
  );
});

test('years are written without groups of thousands', (t) => {
  t.is(described(on('lte', 'year', 1899)), 'Year begun 1899 or less');
});

test('groups and their opposites keep their brackets', (t) => {
  const group: Filter = {
    op: 'or',
    content: [on('in', 'site', ['Lung']), { op: 'not', content: [on('lte', 'age', 60)] }],
  };
  t.is(described(group), 'Primary site Lung or not Age 60 or less');
  // none of them holds
  const neither: Filter = { op: 'not', content: group.content };
  t.is(described(neither), 'not (Primary site Lung or not Age 60 or less)');
  t.is(
    described({ op: 'and', content: [group, on('in', 'site', ['Skin'])] }),
    '(Primary site Lung or not Age 60 or less) and Primary site Skin',
  );
});

test('in German too', (t) => {
  t.is(described(on('between', 'age', [40, 1200]), de, 'de'), 'Age 40 bis 1.200');
});

test('what one object must meet, and what any may', (t) => {
  const [type, strategy] = [
    on('in', 'specimens.type', ['Metastasis']),
    on('in', 'specimens.files.strategy', ['WGS']),
  ];
  t.is(
    described({ op: 'and', content: [type, on('in', 'site', ['Skin']), strategy] }),
    '(Specimen with type Metastasis and strategy WGS) and Primary site Skin',
  );
  t.is(
    described({ op: 'and', content: [type], pivot: 'specimens' }, de, 'de'),
    'type Metastasis (in einem beliebigen Eintrag unter „Specimens“)',
  );
  t.is(described(type), 'Specimen type Metastasis');
});
