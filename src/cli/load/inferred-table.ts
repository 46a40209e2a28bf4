import type { Family, FieldSummary } from '../../indexing/file-import/inference/summarize-fields.ts';
import type { ValuePlace } from '../../indexing/file-import/inference/field-evidence.ts';
import { formatCount } from '../terminal/format-count.ts';
import { textTable } from '../terminal/text-table.ts';

/**
 * The inferred types of a file's fields, as lines for a terminal: a table, then anomalies, then options that would give
 * better types.
 * @param records the records it is based on
 */
export const inferredLines = (
  fields: readonly FieldSummary[],
  records: string,
  isTable: boolean,
): readonly string[] => [
  `${isTable ? 'columns' : 'fields'}, from ${records}:`,
  ...tableLines(fields, isTable),
  ...fields.flatMap(oddities),
  ...proposalLines(fields),
];

const widest = 40;

const tableLines = (fields: readonly FieldSummary[], isTable: boolean): readonly string[] => {
  const rows = [
    [isTable ? 'column' : 'field', 'type', 'example', 'empty', 'not fitting'],
    ...fields.map(({ path, type, example, empty, misfits }) => [
      path,
      type ?? 'none',
      example ?? '',
      formatCount(empty),
      formatCount(misfits),
    ]),
  ];
  return textTable(rows, { indent: '  ', alignedRight: [3, 4], widest });
};

const oddities = ({ path, type, mixed, misfits, misfitPlaces, example }: FieldSummary): readonly string[] => {
  if (mixed.length > 0) {
    const kept = type === 'object' ? 'no type accepts both, so it is shown but not searchable' : `it is kept as ${type ?? 'text'}, which matches all of them`; // prettier-ignore
    return [`${path} is mixed: ${mixed.map(familyText).join(', ')}; ${kept}`];
  }
  if (misfits > 0)
    return [`${path}: ${countText(misfits, 'value')} no ${type ?? ''}${placesText(misfitPlaces)}`];
  return type === null && example === null ? [`${path} has no values and gives no field yet`] : [];
};

const countText = (count: number, noun: string): string =>
  count === 1 ? `1 ${noun} is` : `${formatCount(count)} ${noun}s are`;

const familyText = ({ name, count, places: shown }: Family): string =>
  `${formatCount(count)} ${count === 1 ? name.slice(0, -1) : name}${placesText(shown)}`;

const placesText = (shown: readonly ValuePlace[]): string =>
  ` (${shown.map(({ line, text }) => `line ${String(line)}: ${text}`).join('; ')})`;

/** Each set of options once, with the fields it applies to. */
const proposalLines = (fields: readonly FieldSummary[]): readonly string[] => {
  const found = new Map<string, { readonly gains: string[]; readonly caution: string | undefined }>();
  for (const { proposal } of fields) {
    if (proposal === null) continue;
    const options = proposal.options.join(' ');
    const same = found.get(options) ?? { gains: [], caution: proposal.caution };
    same.gains.push(`${proposal.path} would be a ${proposal.becomes}`);
    found.set(options, same);
  }
  return [...found].map(
    ([options, { gains, caution }]) =>
      `proposed: ${options}: ${gains.join(', ')}${caution === undefined ? '' : ` (${caution})`}`,
  );
};
