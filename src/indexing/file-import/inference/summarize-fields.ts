import { kindOf } from '../../../introspection/fields/field.ts';
import type { JsonObject } from '../../../lib/json/json.ts';
import { mappingType, propertyAt } from '../../mapping-body.ts';
import { numberDateProposal, proposeOptions, settledProposals, type Proposal } from './proposals.ts';
import type { Evidence, FieldEvidence, ShapeEvidence, ValuePlace } from './field-evidence.ts';
import type { ValueShape } from './value-shape.ts';

/** The inferred type of a field, and the evidence against it. */
export interface FieldSummary {
  readonly path: string;
  /** The mapped type; null for an unmapped field. */
  readonly type: string | null;
  readonly example: string | null;
  /** Documents without a value here. */
  readonly empty: number;
  /** Values that do not fit the type. */
  readonly misfits: number;
  /** Their first places. */
  readonly misfitPlaces: readonly ValuePlace[];
  /** The families of the values if there are several without a common type; else empty. */
  readonly mixed: readonly Family[];
  /** The few fractions that make a field of whole numbers a double; absent if there are none, or many. */
  readonly fractions?: ShapeEvidence;
  /** The number with too many digits that makes numbers a keyword; absent if that is not the reason. */
  readonly longDigits?: ValuePlace;
  readonly proposal: Proposal | null;
}

/** Values of one of several kinds. */
export interface Family {
  readonly name: 'numbers' | 'booleans' | 'dates' | 'objects' | 'texts';
  readonly count: number;
  readonly places: readonly ValuePlace[];
}

/** In a text field, values of other shapes are not reported up to this share: a title may be a year. */
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
  const settled = settledProposals(
    summaries.map(({ proposal }) => proposal),
    evidence,
  );
  return summaries.map((summary, at) => ({ ...summary, proposal: settled[at]! }));
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
    return {
      path,
      type,
      example: null,
      empty: documents,
      misfits: 0,
      misfitPlaces: [],
      mixed: [],
      proposal: null,
    };
  const misfits = [...field.shapes].filter(([look]) => !fits(look, type, propertyAt(properties, path)));
  const isText = type !== null && ['keyword', 'text', 'json', 'object'].includes(kindOf(type));
  const families = isText ? familiesOf(field, isTable) : [];
  const isFew = !isText && field.fractions.count <= (field.shapes.get('number')?.count ?? 0) * oddShare;
  const proposal =
    isText || misfits.length > 0 ? proposeOptions(path, field, isTable) : numberDateProposal(path, field);
  return {
    path,
    type,
    example: field.example ?? [...field.shapes.values()][0]?.places[0]?.text ?? null,
    empty: documents - field.documents,
    misfits: misfits.reduce((sum, [, { count }]) => sum + count, 0),
    misfitPlaces: misfits.flatMap(([, { places }]) => places).slice(0, 3),
    mixed: misfits.length === 0 && isWorthAWord(families) ? families : [],
    ...(isText && families.length === 1 && field.longDigits !== null && { longDigits: field.longDigits }),
    ...(field.fractions.count > 0 && isFew && { fractions: field.fractions }),
    proposal,
  };
};

const dateShapes: readonly ValueShape[] = ['date', 'partial date', 'number', 'number text'];

/** Whether values of a shape fit a type; for dates with a custom format only the engine can tell. */
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
    case 'range':
    case 'flattened':
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
    places: [...places].sort((a, b) => a.line - b.line).slice(0, 3),
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
