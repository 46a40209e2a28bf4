import { createHash } from 'node:crypto';
import { TributaryError } from '../../errors.ts';
import type { JsonObject, JsonValue } from '../../json.ts';
import { isJsonObject } from '../../json.ts';
import type { DocumentRecord } from './source-record.ts';

/** Where a document's key comes from when no bulk action gives one. */
export type IdRule =
  /** The value at this dotted path; a document without it is refused. */
  | { readonly kind: 'field'; readonly path: string }
  /** Made of line number and content: loading the same file again updates the same documents. */
  | { readonly kind: 'generated' };

/** Fields that hold the key if every document of the sample has one, in this order. */
const usualFields = ['id', '_id'] as const;

/**
 * The rule for a file, from its first documents: the field asked for, else `id` or `_id` when all of them have it.
 * @throws TributaryError INPUT_INVALID none of the first documents has the field asked for
 */
export const chooseIdRule = (sample: readonly DocumentRecord[], idField: string | undefined): IdRule => {
  const keyless = sample.filter((record) => record.id === null);
  if (idField !== undefined) {
    if (keyless.length > 0 && keyless.every((record) => scalarAt(record.document, idField) === null))
      throw new TributaryError('INPUT_INVALID', `none of the first ${String(keyless.length)} documents has a value in ${idField}, the id field`); // prettier-ignore
    return { kind: 'field', path: idField };
  }
  const path = usualFields.find((field) =>
    keyless.every((record) => scalarAt(record.document, field) !== null),
  );
  return path === undefined || keyless.length === 0 ? { kind: 'generated' } : { kind: 'field', path };
};

/** The document's key by the rule, or null when it has none. */
export const documentId = (record: DocumentRecord, rule: IdRule): string | null => {
  if (record.id !== null) return record.id;
  if (rule.kind === 'field') return scalarAt(record.document, rule.path);
  return createHash('sha256')
    .update(`${String(record.line)}\n${JSON.stringify(record.document)}`)
    .digest('hex')
    .slice(0, 32);
};

/** `_id` names the key itself, so no document may hold a field of that name. */
export const withoutKeyField = (document: JsonObject): JsonObject => {
  if (!('_id' in document)) return document;
  const kept: Record<string, JsonValue | undefined> = { ...document };
  delete kept['_id'];
  return kept;
};

const scalarAt = (document: JsonObject, path: string): string | null => {
  let value: unknown = document;
  for (const segment of path.split('.')) value = isJsonObject(value) ? value[segment] : undefined;
  return (typeof value === 'string' && value !== '') || typeof value === 'number' ? String(value) : null;
};
