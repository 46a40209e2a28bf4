import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildHierarchy } from '../../../src/introspection/hierarchies/build-hierarchy.ts';
import type { JsonObject, JsonValue } from '../../../src/lib/json/json.ts';
import type { Check, Collection } from './case.ts';

/** A filter of docs/filters.md and what the page says of it. */
export interface Example {
  readonly name: string;
  readonly sqon: JsonValue;
  /** The line below it: `Finds ...` or `Refused: ...`. */
  readonly stated: string;
}

const page = readFileSync(join(import.meta.dirname, '../../../docs/filters.md'), 'utf8');

const fenced = (language: string): readonly RegExpExecArray[] => [
  ...page.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)\\n\`\`\`$\\n*(.*)`, 'gm')),
];

const documents: Collection['documents'] = Object.fromEntries(
  fenced('jsonl')[0]![1]!
    .split('\n')
    .map((line) => {
      const { _id: id, ...document } = JSON.parse(line) as JsonObject & { _id: string };
      return [id, document];
    }),
);

/** Every filter of the page, in its order. */
export const examples: readonly Example[] = fenced('json').map(([, json, stated], position) => ({
  name: `${position + 1}: ${json!}`,
  sqon: JSON.parse(json!) as JsonValue,
  stated: stated!,
}));

/** The keys in backquotes of a line, all for `Finds everything`. */
const foundBy = (stated: string): readonly string[] => {
  if (stated.startsWith('Finds everything')) return Object.keys(documents);
  const [finds = ''] = stated.split('Warning:');
  return [...finds.matchAll(/`(\w+)`/g)].map(([, id]) => id!);
};

const checkOf = ({ name, sqon, stated }: Example): Check =>
  stated.startsWith('Refused: ')
    ? { name, sqon, code: 'BAD_USER_INPUT', naming: [stated.slice('Refused: `'.length, -'`.'.length)] }
    : { name, sqon, ids: foundBy(stated) };

/** The hierarchy of the page, line by line. */
const sites = buildHierarchy(
  'sites',
  fenced('csv')[0]![1]!
    .split('\n')
    .slice(1)
    .map((line) => {
      const [id = '', parent = '', label = ''] = line.split(',');
      return {
        id,
        label,
        synonyms: [],
        parents: parent === '' ? [] : [parent],
        obsolete: false,
        replacedBy: null,
      };
    }),
  'filters.md',
);

/** What the page says in words, with what it finds. */
const said: readonly (readonly [op: string, fieldName: string, value: JsonValue, ids: readonly string[]])[] =
  [
    ['in', 'sex', 'Female', ['d1', 'd3']],
    ['in', 'sex', '', ['d4']],
    ['in', 'notes', 'visit', ['d1', 'd2']],
    ['in', 'notes', ['Oslo'], ['d2']],
    ['in', 'notes', 'Vis*', ['d1', 'd2']],
    ['all', 'notes', ['Visit', 'öslo'], ['d2']],
    ['not-in', 'notes', ['LYON'], ['d2', 'd3', 'd4', 'd5', 'd6']],
    ['between', 'age', 80, ['d2']],
    ['in', 'enrolled', ['2020-01-01'], ['d1', 'd4']],
    ['lte', 'enrolled', '2020-01-01', ['d1', 'd4', 'd6']],
    ['in', 'enrolled', '2020-06-15T10:00:00Z', ['d2']],
    ['between', 'enrolled', ['2019-12-31', '2020-01'], ['d1', 'd4', 'd6']],
    ['between', 'discharged', [1593561600000, '2020-07-01'], ['d2']],
    ['in', 'alive', ['false'], ['d2', 'd5']],
    ['in', 'sites', ['B*t', '*ng'], []],
    ['not-in', 'sites', ['Br*'], ['d2', 'd3', 'd5']],
    ['is', 'sex', '__missing__', []],
    ['starts-with', 'sites', 'B*', []],
    ['under', 'sites', 'Brain', ['d4', 'd6']],
    ['not-in', 'sites', ['Lung', 'br*'], ['d3', 'd4']],
    ['all', 'sites', ['Lung', 'Bra*'], ['d6']],
  ];

/** The examples of docs/filters.md. */
export const documented: Collection = {
  name: 'documented',
  mapping: JSON.parse(fenced('jsonc')[0]![1]!) as JsonObject,
  documents,
  hierarchies: { sites },
  checks: [
    ...examples.map(checkOf),
    ...said.map(([op, fieldName, value, ids]) => ({
      name: `${fieldName} ${op} ${JSON.stringify(value)}`,
      sqon: { op, content: { fieldName, value } },
      ids,
    })),
    {
      name: 'nothing is found inside a word',
      sqon: { op: 'search', content: { fieldNames: ['sites'], value: 'ung' } },
      ids: [],
    },
  ],
};
