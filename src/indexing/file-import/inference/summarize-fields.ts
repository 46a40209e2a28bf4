import { kindOf } from '../../../introspection/fields/field.ts';
import type { JsonObject } from '../../../json/json.ts';
import { mappingType, propertyAt } from '../../mapping-body.ts';
import { twoDigitYears } from '../tables/columns.ts';
import type { Evidence, FieldEvidence, ShapeEvidence, ValuePlace, ValueShape } from './field-evidence.ts';

/** The type a field is taken for, and the evidence against it. */
export interface FieldSummary {
  readonly path: string;
  /** The mapped type; null for an unmapped field. */
  readonly type: string | null;
  readonly example: string | null;
  /** Documents without a value here. */
  readonly empty: number;
  /** Values that do not fit the type. */
  readonly misfits: number;
  /** The first of them. */
  readonly misfitPlaces: readonly ValuePlace[];
  /** The families of the values if there are several without a common type; else empty. */
  readonly mixed: readonly Family[];
  /** The few fractions that make a field of whole numbers a double; absent if there are none, or many. */
  readonly fractions?: ShapeEvidence;
  readonly proposal: Proposal | null;
}

/** Values of one of several kinds. */
export interface Family {
  readonly name: 'numbers' | 'booleans' | 'dates' | 'objects' | 'texts';
  readonly count: number;
  readonly places: readonly ValuePlace[];
}

/** In a text field, up to this share of other-looking values is not reported: a title may be a year. */
const oddShare = 0.1;

/**
 * One summary per field, in file order.
 * @param columns the columns of a table, including empty ones; null for documents
 */
export const summarizeFields = (
  evidence: Evidence,
  properties: JsonObject,
  columns: readonly string[] | null,
): readonly FieldSummary[] => {
  const paths = columns === null ? [...evidence.fields.keys()] : columns;
  const summaries = paths.flatMap((path) => {
    const field = evidence.fields.get(path);
    if (field !== undefined && field.shapes.size === 1 && field.shapes.has('object')) return [];
    return [summaryOf(path, field, evidence.documents(), properties, columns !== null)];
  });
  return summaries.map((summary) => withOwnNulls(summary, summaries, evidence));
};

/** A word that means something in a field without such a proposal (NA is Namibia) is proposed for this field only. */
const withOwnNulls = (
  summary: FieldSummary,
  all: readonly FieldSummary[],
  { fields }: Evidence,
): FieldSummary => {
  const { path, proposal } = summary;
  if (proposal === null || !proposal.options.some(isNullOption) || path.includes('=')) return summary;
  const words = [...(fields.get(path)?.emptyWords ?? [])];
  const kept = all.find((other) => other.proposal?.options.some(isNullOption) !== true && words.some((word) => fields.get(other.path)?.emptyWords.has(word))); // prettier-ignore
  if (kept === undefined) return summary;
  const own = nullOption([`${path}=${words[0]!}`, ...words.slice(1)]);
  const options = proposal.options.map((option) => (isNullOption(option) ? own : option));
  const caution = [...(proposal.caution === undefined ? [] : [proposal.caution]), `for ${path} only, since ${kept.path} has such words too`].join('; '); // prettier-ignore
  return { ...summary, proposal: { ...proposal, options, caution } };
};

const isNullOption = (option: string): boolean => /^--null[ =]/.test(option);

const nullOption = (words: readonly string[]): string => {
  const text = words.join(',');
  return `--null${text.length > 1 && text.startsWith('-') ? '=' : ' '}${quoted(text)}`;
};

const summaryOf = (
  path: string,
  field: FieldEvidence | undefined,
  documents: number,
  properties: JsonObject,
  isTable: boolean,
): FieldSummary => {
  const type = mappingType(properties, path);
  if (field === undefined)
    return { path, type, example: null, empty: documents, misfits: 0, misfitPlaces: [], mixed: [], proposal: null }; // prettier-ignore
  const misfits = [...field.shapes].filter(([look]) => !fits(look, type, propertyAt(properties, path)));
  const isText = type !== null && ['keyword', 'text', 'json', 'object'].includes(kindOf(type));
  const families = isText ? familiesOf(field, isTable) : [];
  const isFew = !isText && field.fractions.count <= (field.shapes.get('number')?.count ?? 0) * oddShare;
  const proposal = isText || misfits.length > 0 ? proposeOptions(path, field, isTable) : basicDateProposal(path, field); // prettier-ignore
  return {
    path,
    type,
    example: field.example ?? [...field.shapes.values()][0]?.places[0]?.text ?? null,
    empty: documents - field.documents,
    misfits: misfits.reduce((sum, [, { count }]) => sum + count, 0),
    misfitPlaces: misfits.flatMap(([, { places }]) => places).slice(0, 3),
    mixed: isWorthAWord(families) ? families : [],
    ...(field.fractions.count > 0 && isFew && { fractions: field.fractions }),
    proposal,
  };
};

const dateShapes: readonly ValueShape[] = ['date', 'partial date', 'number', 'number text'];

/** Whether values of a shape fit a type; for dates with a custom format only the engine knows. */
const fits = (look: ValueShape, type: string | null, property: JsonObject | null): boolean => {
  if (type === null) return true;
  switch (kindOf(type)) {
    case 'number':
      return look === 'number' || look === 'number text';
    case 'boolean':
      return look === 'boolean' || look === 'boolean text';
    case 'date':
      return dateShapes.includes(look) || property?.['format'] !== undefined;
    case 'keyword':
    case 'text':
      return look !== 'object';
    case 'object':
    case 'nested':
      return look === 'object' || property?.['enabled'] === false;
    case 'json':
      return true;
  }
};

const familiesOf = (field: FieldEvidence, isTable: boolean): readonly Family[] => {
  const families = new Map<Family['name'], { count: number; places: ValuePlace[] }>();
  for (const [look, { count, places }] of field.shapes) {
    const name = familyOf(look, isTable);
    const family = families.get(name) ?? { count: 0, places: [] };
    family.count += count;
    family.places.push(...places);
    families.set(name, family);
  }
  return [...families].map(([name, { count, places }]) => ({
    name,
    count,
    places: [...places].sort((one, other) => one.line - other.line).slice(0, 3),
  }));
};

const familyOf = (look: ValueShape, isTable: boolean): Family['name'] => {
  switch (look) {
    case 'number':
      return 'numbers';
    case 'boolean':
      return 'booleans';
    case 'date':
      return 'dates';
    case 'object':
      return 'objects';
    case 'number text':
      return isTable ? 'numbers' : 'texts';
    case 'boolean text':
      return isTable ? 'booleans' : 'texts';
    case 'text':
    case 'comma number':
    case 'grouped number':
    case 'boolean word':
    case 'empty word':
    case 'written date':
    case 'partial date':
      return 'texts';
  }
};

const isWorthAWord = (families: readonly Family[]): boolean => {
  if (families.length < 2) return false;
  const all = families.reduce((sum, { count }) => sum + count, 0);
  const texts = families.find(({ name }) => name === 'texts')?.count ?? 0;
  return all - texts > all * oddShare || families.some(({ name }) => name === 'objects');
};

/** Options of `tributary load` that would give a field a better type. */
export interface Proposal {
  readonly path: string;
  /** As typed: `--null "N/A"`, `--decimal ,`. */
  readonly options: readonly string[];
  /** The resulting type. */
  readonly becomes: 'number' | 'date' | 'boolean';
  /** What to know before accepting it; absent if nothing. */
  readonly caution?: string;
}

/**
 * The options that give a text field a better type, if all of its values fit that type; null when there are none or the
 * field already has its type.
 * @param isTable whether texts get types by their look, as table cells do
 */
const proposeOptions = (path: string, field: FieldEvidence, isTable: boolean): Proposal | null => {
  const count = (look: ValueShape): number => field.shapes.get(look)?.count ?? 0;
  if (count('text') > 0 || count('object') > 0 || count('partial date') > 0) return null;
  const words = [...field.emptyWords];
  const nulls = words.length === 0 ? [] : [nullOption(words)];
  const has = (...looks: readonly ValueShape[]): boolean => looks.some((look) => count(look) > 0);
  const proposal = (
    becomes: Proposal['becomes'],
    options: readonly string[],
    caution?: string,
  ): Proposal | null => {
    const all = [...options, ...nulls];
    return all.length === 0 ? null : { path, becomes, options: all, ...(caution && { caution }) };
  };
  const native = (['number', 'boolean', 'date'] as const).filter((look) => has(look));
  const written = (['number text', 'comma number', 'grouped number', 'written date', 'boolean word', 'boolean text'] as const).filter((look) => has(look)); // prettier-ignore
  if (native.length + written.length === 0) return null;
  if (written.length === 0) return native.length === 1 ? proposal(native[0]!, []) : null;
  const only = (...looks: readonly ValueShape[]): boolean => [...native, ...written].every((look) => looks.includes(look)); // prettier-ignore
  if (only('boolean', 'boolean word', 'boolean text'))
    return proposal('boolean', [typeOption(path, 'boolean')]);
  if (only('date', 'written date')) return dateProposal(path, field, isTable, proposal);
  if (!isTable) return null;
  if (only('number', 'number text')) return proposal('number', []);
  if (only('number', 'number text', 'comma number') && field.pointDecimals === 0)
    return proposal('number', ['--decimal ,'], commaCaution(field));
  return only('number', 'number text', 'grouped number') ? proposal('number', ['--decimal .']) : null;
};

const dateProposal = (
  path: string,
  { dateFormats }: FieldEvidence,
  isTable: boolean,
  proposal: (becomes: 'date', options: readonly string[], caution?: string) => Proposal | null,
): Proposal | null => {
  const [format, ...others] = dateFormats ?? [];
  if (format === undefined) return null;
  const other = others.find((one) => one.startsWith('M') !== format.startsWith('M'));
  const cautions = [
    ...(other === undefined ? [] : [`if the month comes first, ${other}`]),
    ...(/(?<!y)yy(?!y)/.test(format) ? [`years are ${twoDigitYears}`] : []),
  ];
  return proposal('date', [...(isTable && format.includes('d') ? [] : [typeOption(path, 'date')]), `--date-format ${quoted(format)}`], cautions.join('; ')); // prettier-ignore
};

/** For numbers that all are dates such as 20140518. */
const basicDateProposal = (path: string, { shapes, basicDates }: FieldEvidence): Proposal | null =>
  basicDates === 0 || shapes.size > 1 || shapes.get('number')?.count !== basicDates
    ? null
    : { path, becomes: 'date', options: [typeOption(path, 'date'), '--date-format yyyyMMdd'] };

/** Three digits after every comma may as well be thousands groups. */
const commaCaution = (field: FieldEvidence): string | undefined => {
  const places = field.shapes.get('comma number')?.places ?? [];
  return places.length > 0 && places.every(({ text }) => /^[+-]?\d{1,3}(,\d{3})+$/.test(text))
    ? 'if the comma groups thousands, --decimal .'
    : undefined;
};

const typeOption = (path: string, type: string): string => `--types ${quoted(`${path}=${type}`)}`;

const quoted = (text: string): string =>
  /^[\w.,=/-]+$/.test(text) ? text : `"${text.replaceAll('"', '\\"')}"`;
