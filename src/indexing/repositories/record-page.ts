import type { z } from 'zod';
import { asTributaryError, invalidInput, type TributaryError } from '../../lib/errors/errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json/json.ts';
import type { RecordPage, RepositoryRecord, RepositoryConfig, MapStep } from './repository.ts';
import type { RepositoryAnswer } from './repository-client.ts';
import type { RowPage } from './walk-pages.ts';

/** The outcome of one document of a page. */
export type Outcome =
  | { readonly kind: 'record'; readonly record: RepositoryRecord }
  | { readonly kind: 'skipped' | 'failed'; readonly recordId: string; readonly reason: string };

/** The outcomes of a page, by kind. */
export const recordPage = (outcomes: readonly Outcome[], total: number | null): RecordPage => {
  const of = (kind: 'skipped' | 'failed') =>
    outcomes.flatMap((outcome) =>
      outcome.kind === kind ? [{ recordId: outcome.recordId, reason: outcome.reason }] : [],
    );
  return {
    records: outcomes.flatMap((outcome) => (outcome.kind === 'record' ? [outcome.record] : [])),
    skipped: of('skipped'),
    failed: of('failed'),
    total,
  };
};

/** A document to write, shaped according to the configuration, unless it is excluded or cannot be shaped. */
export const shapedRecord = (config: RepositoryConfig, record: RepositoryRecord): Outcome => {
  const { documentId, recordId } = record;
  if (config.exclude.includes(documentId))
    return { kind: 'skipped', recordId, reason: `${documentId} is excluded by the configuration` };
  let document: JsonObject;
  try {
    document = shapeDocument(record.document, config.map);
  } catch (error) {
    const { code, message } = asTributaryError(error);
    if (code !== 'INPUT_INVALID') throw error;
    return { kind: 'failed', recordId, reason: message };
  }
  return { kind: 'record', record: { ...record, document } };
};

/**
 * The outcomes of a row. If the page has long digits, records also get their documents with these rounded.
 * @param outcomesOf the outcomes of a row, either as received or rounded
 */
export const rowOutcomes = (
  row: unknown,
  { flawOf, roundedOf }: Pick<RowPage, 'flawOf' | 'roundedOf'>,
  outcomesOf: (row: unknown, flawOf?: RowPage['flawOf']) => readonly Outcome[],
): readonly Outcome[] => {
  const outcomes = outcomesOf(row, flawOf);
  const rounded = roundedOf(row);
  if (rounded === null) return outcomes;
  const twins = outcomesOf(rounded);
  return outcomes.map((outcome, at) => {
    const twin = twins[at];
    return outcome.kind === 'record' && twin?.kind === 'record'
      ? { ...outcome, record: { ...outcome.record, rounded: twin.record.document } }
      : outcome;
  });
};

/**
 * The pages of a listing as pages of records.
 * @param outcomesOf the outcomes of a row, as received or rounded, and its place in the listing, from 1
 */
export async function* recordPages(
  pages: AsyncIterable<RowPage>,
  outcomesOf: (row: unknown, place: number, flawOf?: RowPage['flawOf']) => readonly Outcome[],
): AsyncGenerator<RecordPage, void> {
  let rows = 0;
  for await (const page of pages) {
    const outcomes = page.rows.flatMap((row, at) =>
      rowOutcomes(row, page, (one, flawOf) => outcomesOf(one, rows + at + 1, flawOf)),
    );
    rows += page.rows.length;
    yield recordPage(outcomes, page.total);
  }
}

/** The body of an answer. @throws TributaryError UPSTREAM_FAILED if it has another shape */
export const shapedBody = <Shape>(
  shape: z.ZodType<Shape>,
  answer: RepositoryAnswer,
  expected: string,
): Shape => {
  const read = shape.safeParse(answer.body);
  if (!read.success) throw answer.error(`answered with JSON of another shape: ${expected} expected`);
  return read.data;
};

/** The name of a record without a usable id: its place in the listing. */
export const nameless = (row: number, organization: string): string => `(row ${row} of ${organization})`;

/** Ids are non-empty strings; with anything else, records could be merged or lost. */
export const isRecordId = (value: unknown): value is string => typeof value === 'string' && value !== '';

/**
 * Applies the steps to a document, in order. Paths go through objects and into each object of a list; a path that a
 * document lacks changes nothing, except that a constant creates its objects.
 * @throws TributaryError INPUT_INVALID a step would overwrite a member, or its path leads to a value that is not an object
 */
export const shapeDocument = (document: JsonObject, steps: readonly MapStep[]): JsonObject =>
  steps.reduce(applyStep, document);

const applyStep = (document: JsonObject, step: MapStep): JsonObject => {
  switch (step.kind) {
    case 'rename':
      return rename(document, step.from.split('.'), step.to.split('.'));
    case 'drop':
      return inParents(document, step.path.split('.'), (parent, name) => without(parent, name));
    case 'constant':
      return place(document, step.path.split('.'), step.value, step.path);
    case 'flatten':
      return inParents(document, step.path.split('.'), (parent, name) => flatten(parent, name, step.path));
  }
};

/** Changes each object that contains the path's last segment. */
const inParents = (
  object: JsonObject,
  path: readonly string[],
  change: (parent: JsonObject, name: string) => JsonObject,
): JsonObject => {
  const [name, ...rest] = path as [string, ...string[]];
  const value = member(object, name);
  if (value === undefined) return object;
  if (rest.length === 0) return change(object, name);
  return withMember(
    object,
    name,
    inEach(value, (inner) => inParents(inner, rest, change)),
  );
};

const inEach = (value: JsonValue, change: (object: JsonObject) => JsonObject): JsonValue => {
  if (isJsonObject(value)) return change(value);
  return isList(value) ? value.map((item) => inEach(item, change)) : value;
};

/** Moves within each object that both paths go through, so that values stay with their item of a list. */
const rename = (document: JsonObject, from: readonly string[], to: readonly string[]): JsonObject => {
  const [parent, ...fromRest] = from as [string, ...string[]];
  const [toParent, ...toRest] = to as [string, ...string[]];
  if (fromRest.length > 0 && toRest.length > 0 && parent === toParent) {
    const inner = member(document, parent);
    if (inner === undefined) return document;
    return withMember(
      document,
      parent,
      inEach(inner, (object) => rename(object, fromRest, toRest)),
    );
  }
  const value = valueAt(document, from);
  if (value === undefined) return document;
  return place(inParents(document, from, without), to, value, to.join('.'));
};

const valueAt = (document: JsonObject, path: readonly string[]): JsonValue | undefined => {
  let value: JsonValue | undefined = document;
  for (const name of path) {
    if (isList(value))
      throw refusal(`${path.join('.')} leads through a list, and nothing can be moved out of a list`);
    value = isJsonObject(value) ? member(value, name) : undefined;
  }
  return value;
};

const place = (object: JsonObject, path: readonly string[], value: JsonValue, whole: string): JsonObject => {
  const [name, ...rest] = path as [string, ...string[]];
  const present = member(object, name);
  if (rest.length === 0) {
    if (present !== undefined) throw refusal(`${whole} already exists, and is not overwritten`);
    return withMember(object, name, value);
  }
  if (present !== undefined && !isJsonObject(present) && !isList(present))
    throw refusal(`${whole} cannot be set: ${name} is not an object`);
  return withMember(
    object,
    name,
    inEach(present ?? {}, (inner) => place(inner, rest, value, whole)),
  );
};

const flatten = (parent: JsonObject, name: string, whole: string): JsonObject => {
  const value = member(parent, name);
  if (!isJsonObject(value)) throw refusal(`${whole} cannot be flattened: it is not an object`);
  const clash = Object.keys(value).find((key) => key !== name && Object.hasOwn(parent, key));
  if (clash !== undefined)
    throw refusal(`${whole}.${clash} cannot be set: ${clash} already exists, and is not overwritten`);
  return Object.fromEntries(
    Object.entries(parent).flatMap((entry) => (entry[0] === name ? Object.entries(value) : [entry])),
  );
};

const member = (object: JsonObject, name: string): JsonValue | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined;

const isList = (value: unknown): value is readonly JsonValue[] => Array.isArray(value);

const withMember = (object: JsonObject, name: string, value: JsonValue): JsonObject => ({
  ...object,
  [name]: value,
});

const without = (object: JsonObject, name: string): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([key]) => key !== name));

const refusal = (reason: string): TributaryError => invalidInput(reason);
