import { TributaryError } from '../../lib/errors/errors.ts';
import { existsSync } from 'node:fs';
import type { Engine } from '../../engines/engine.ts';
import { openEngine, type EngineSettings } from '../../engines/open/open-engine.ts';
import { describeIfThere } from '../../indexing/index-target.ts';
import { settledBy } from '../../indexing/file-import/tables/question.ts';
import { fileFailure } from '../../lib/runtime/file-failure.ts';
import type { ImportReport, ImportProgress } from '../../indexing/file-import/import-file.ts';
import type { RejectsFile } from '../../indexing/file-import/rejects-file.ts';
import type { Trial } from '../../indexing/file-import/try-import.ts';
import { emptiness, loaded } from '../../indexing/file-import/import-file.ts';
import { textTable } from '../terminal/text-table.ts';
import { countOf, formatCount, plural } from '../../lib/text/plural.ts';
import type { Family, FieldSummary } from '../../indexing/file-import/inference/summarize-fields.ts';
import { optionText } from '../../indexing/file-import/inference/proposals.ts';
import { shellWord } from '../../lib/text/escaped-text.ts';
import type { ValuePlace } from '../../indexing/file-import/inference/field-evidence.ts';

/** Exit code of a load that rejected some records and loaded the others. */
const someRejected = 3;

/**
 * Prints the result of a load.
 * @returns the exit code: 0 every record was loaded, 3 some were rejected, 1 nothing was loaded or it stopped early
 */
export const printReport = (
  report: ImportReport,
  rejects: RejectsFile,
  name: string,
  elapsedMs: number,
): number => {
  const { rejected } = report.counts;
  report.notices.forEach((notice) => console.log(notice));
  roundedLines(report.rounded).forEach((line) => console.log(line));
  const index = report.index === name ? name : `${name} (${report.index})`;
  if (report.failure === null && report.newIndex && loaded(report.counts) === 0) {
    console.log(`created the index ${index} with its mapping; the file has no documents`);
    return 0;
  }
  console.log(countsLine(report, index, elapsedMs));
  if (report.madeKeys)
    console.log(
      'no field is the key of the records: keys are derived from the line number and content (--id-field names a field to use instead), so a corrected file is loaded with --replace',
    );
  printRepeated(report);
  if (rejected > 0)
    console.error(
      `${countOf(rejected, 'rejected line')}, with ${rejected === 1 ? 'its reason, is' : 'their reasons, are'} in ${rejects.path}`,
    );
  if (report.failure === null) return rejected > 0 ? someRejected : 0;
  const part = loaded(report.counts) === 0 ? '' : 'stopped before the end of the file: ';
  console.error(`tributary load: ${part}${messageOf(report.failure)}`);
  return 1;
};

const countsLine = ({ counts }: ImportReport, index: string, elapsedMs: number): string => {
  const { created, updated, rejected } = counts;
  const rate = Math.round((1000 * loaded(counts)) / Math.max(1, elapsedMs));
  return (
    `loaded ${countOf(created + updated, 'document')} into ${index}: ${formatCount(created)} created, ` +
    `${formatCount(updated)} updated, ${formatCount(rejected)} rejected; ` +
    `${(elapsedMs / 1000).toFixed(1)} s, ${formatCount(rate)} documents/s`
  );
};

/** If the index is new, the same file wrote the documents that were updated. */
const printRepeated = ({ newIndex, counts, idRule }: ImportReport): void => {
  if (!newIndex || counts.updated === 0) return;
  const where = idRule.kind === 'field' ? ` in ${idRule.path}` : '';
  console.error(
    `${countOf(counts.updated, 'record')} ${plural(counts.updated, 'has', 'have')} a key${where} that an earlier record has too, and took its place (--id-field names another)`,
  );
};

/**
 * Prints the expected result of a load.
 * @param mayBeEmpty whether a file without documents would create an index
 * @returns the exit code that the load would have
 */
export const printTrial = (
  { plan, documents, repeated, rejected, rejects, rounded }: Trial,
  mayBeEmpty: boolean,
): number => {
  plan.notices.forEach((notice) => console.log(notice));
  roundedLines(rounded).forEach((line) => console.log(line));
  for (const { reason, ...place } of rejects) console.error(`${placeText(place)}: ${reason}`);
  if (rejected > rejects.length) console.error(`and ${formatCount(rejected - rejects.length)} more`);
  if (repeated > 0)
    console.error(
      `${countOf(repeated, 'record')} ${plural(repeated, 'has', 'have')} the same key as an earlier one and would replace it`,
    );
  console.log(
    `nothing was written: ${countOf(documents, 'document')} could be loaded, ${countOf(rejected, 'record')} would be rejected`,
  );
  if (rejected === 0 && mayBeEmpty) return 0;
  const failure = emptiness(documents, rejected, plan);
  if (failure === null) return rejected > 0 ? someRejected : 0;
  console.error(`tributary load: ${failure.message}`);
  return 1;
};

/** Which fields have fractions of more digits than a number keeps, and how to keep them. */
const roundedLines = (rounded: ImportReport['rounded']): readonly string[] =>
  [...rounded].map(([path, { count, first }]) => {
    const [has, is] =
      count === 1 ? ['1 fraction has', 'is'] : [`${formatCount(count)} fractions have`, 'are'];
    const option = optionText({ name: 'types', value: `${path}=keyword` });
    return `${path}: ${has} more digits than a number keeps${placesText([first])} and ${is} rounded. Use ${option} to keep the text.`;
  });

/**
 * How many records an index has after a load.
 * @param opened where the load has opened it; the embedded engine would create its folder
 */
export const presentLine = async (
  settings: EngineSettings,
  name: string,
  opened?: Engine,
): Promise<string> => {
  const absent = `there is no index ${name}`;
  if (opened === undefined && settings.kind === 'embedded' && !existsSync(settings.dataPath)) return absent;
  try {
    const engine = opened ?? (await openEngine(settings));
    const found = await describeIfThere(engine, name).finally(() => opened === undefined && engine.close());
    return found === null ? absent : `${name} has ${countOf(found.documents, 'record')} now`;
  } catch (error) {
    return `how many records ${name} has now is not known: ${messageOf(error)}`;
  }
};

/** Prints why a load ended, and the command that settles a question. */
export const printFailure = (error: unknown, argv: readonly string[], isInterrupted: boolean): void => {
  console.error(`tributary load: ${messageOf(error)}${isInterrupted ? ': nothing was loaded' : ''}`);
  const settled = settledBy(error);
  if (settled !== null) console.error(`as one command: ${settledCommand(argv, settled)}`);
};

/** The command with which a question is settled. @param settled options as typed, which replace what the command line says about the same lines */
export const settledCommand = (argv: readonly string[], settled: string): string => {
  const isAboutLines = /^--(header-row|no-header|skip)/.test(settled);
  const isLines = (word: string): boolean => /^--(header-row|no-header|skip)\b/.test(word);
  const isValueOf = (option = ''): boolean => /^--(header-row|skip)$/.test(option);
  const kept = argv.filter((word, at) => !isAboutLines || !(isLines(word) || isValueOf(argv[at - 1])));
  return `tributary load ${kept.map(shellWord).join(' ')} ${settled}`;
};

/** On a terminal, unexpected errors are shown unchanged. */
const messageOf = (error: unknown): string => {
  const own = error instanceof TributaryError && error.code === 'INTERNAL_SERVER_ERROR' ? error.cause : error;
  return fileFailure(own) ?? (own instanceof Error ? own.message : String(error));
};

/**
 * The inferred types of a file's fields, as lines for a terminal: a table, then anomalies, then options that would give
 * better types.
 * @param records describes the records that the types are based on
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

const oddities = ({
  path,
  type,
  mixed,
  misfits,
  misfitPlaces,
  example,
  fractions,
  longDigits,
}: FieldSummary): readonly string[] => {
  if (mixed.length > 0) {
    const kept =
      type === 'object'
        ? 'no type accepts both, so it is shown but not searchable'
        : `it is kept as ${type ?? 'text'}, which matches all of them`;
    return [`${path} is mixed: ${mixed.map(familyText).join(', ')}; ${kept}`];
  }
  if (longDigits !== undefined)
    return [
      `${path} has a number of more digits than a type of numbers keeps${placesText([longDigits])}; all are kept as ${type ?? 'text'}`,
    ];
  if (misfits > 0) return [`${path}: ${valuesAre(misfits)} no ${type ?? ''}${placesText(misfitPlaces)}`];
  if (fractions && fractions.count > 0)
    return [
      `${path} has whole numbers except for ${formatCount(fractions.count)}${placesText(fractions.places)}; all are kept as ${type ?? 'double'}`,
    ];
  return type === null && example === null ? [`${path} has no values and gives no field yet`] : [];
};

const valuesAre = (count: number): string =>
  count === 1 ? '1 value is' : `${formatCount(count)} values are`;

const familyText = ({ name, count, places: shown }: Family): string =>
  `${formatCount(count)} ${count === 1 ? name.slice(0, -1) : name}${placesText(shown)}`;

const placesText = (shown: readonly ValuePlace[]): string =>
  ` (${shown.map(({ text, ...place }) => `${placeText(place)}: ${text}`).join('; ')})`;

const placeText = ({ file, line }: { readonly file?: string | undefined; readonly line: number }): string =>
  `${file === undefined ? '' : `${file} `}line ${String(line)}`;

/** Each set of options once, with the fields that it applies to. */
const proposalLines = (fields: readonly FieldSummary[]): readonly string[] => {
  const found = new Map<
    string,
    { readonly gains: string[]; readonly caution: string | undefined; readonly isOpen: boolean }
  >();
  for (const { proposal } of fields) {
    if (proposal === null) continue;
    const options = proposal.options.map(optionText).join(' ');
    const same = found.get(options) ?? {
      gains: [],
      caution: proposal.caution,
      isOpen: proposal.isOpen === true,
    };
    same.gains.push(`${proposal.path} would be a ${proposal.becomes}`);
    found.set(options, same);
  }
  return [...found].map(
    ([options, { gains, caution, isOpen }]) =>
      `${isOpen ? 'question' : 'proposed'}: ${options}: ${gains.join(', ')}${caution === undefined ? '' : ` (${caution})`}`,
  );
};

/**
 * A command line for a shell that accepts all proposals except those that a person has to decide; null if there are
 * none.
 * @param argv the arguments after `load`, as typed
 * @param keys fields that could be the key
 * @param replaces whether the index will exist by then
 */
export const proposedCommand = (
  fields: readonly FieldSummary[],
  argv: readonly string[],
  [key]: readonly string[],
  replaces: boolean,
): string | null => {
  const proposals = fields.flatMap(({ proposal }) =>
    proposal === null || proposal.isOpen === true ? [] : [proposal],
  );
  const options = new Set(proposals.flatMap((proposal) => proposal.options.map(optionText)));
  if (key !== undefined) options.add(optionText({ name: 'id-field', value: key }));
  if (options.size === 0) return null;
  const typed = argv.filter((word) => word !== '--dry-run');
  const replace = replaces && !typed.includes('--replace') ? ['--replace'] : [];
  return ['tributary load', ...typed.map(shellWord), ...options, ...replace].join(' ');
};

export interface LoadProgress {
  /** Cheap enough to be called for every record. @param progress null while the file is read for its types */
  update(progress: ImportProgress | null): void;
}

const lineEveryMs = 5_000;

/**
 * Shows the progress of a load: a line every five seconds.
 * @param size bytes of the file as stored, or null
 * @param bytesRead the number of these bytes read so far
 */
export const loadProgress = (
  size: number | null,
  bytesRead: () => number,
  output: NodeJS.WritableStream,
  now: () => number = () => performance.now(),
): LoadProgress => {
  const started = now();
  let shown = started;
  return {
    update: (progress) => {
      const at = now();
      if (at - shown < lineEveryMs) return;
      shown = at;
      const part = size === null ? '' : `${String(Math.floor((100 * bytesRead()) / size))}% | `;
      const text =
        progress === null ? 'reading all records for their types' : figures(progress, at - started);
      output.write(`${part}${text}\n`);
    },
  };
};

const figures = (progress: ImportProgress, elapsedMs: number): string => {
  const rate = formatCount(Math.round((1000 * loaded(progress)) / Math.max(1, elapsedMs)));
  return `${countOf(loaded(progress), 'document')}, ${formatCount(progress.rejected)} rejected | ${rate}/s`;
};
