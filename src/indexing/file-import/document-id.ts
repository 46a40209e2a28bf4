import { createHash } from 'node:crypto';
import { TributaryError } from '../../errors/errors.ts';
import type { JsonObject, JsonValue } from '../../json/json.ts';
import { isJsonObject } from '../../json/json.ts';
import type { DocumentRecord } from './records/source-record.ts';

/** Where a document's key comes from unless a bulk action gives one. */
export type IdRule =
  /** The value at this dotted path; a document without it is refused. */
  | { readonly kind: 'field'; readonly path: string }
  /** Derived from line number and content: loading the same file again updates the same documents. */
  | { readonly kind: 'generated' };

/** Fields taken as the key if at least half of the sampled documents have one; of two, the more frequent one. */
const defaultFields = ['id', '_id'] as const;

/**
 * The rule for a file, from its first documents: the requested field, else `id` or `_id` if at least half of them have
 * it. Documents without it are then refused, since a generated key would change with the content.
 * @throws TributaryError INPUT_INVALID none of the first documents has the requested field
 */
export const chooseIdRule = (sample: readonly DocumentRecord[], idField: string | undefined): IdRule => {
  const keyless = sample.filter((record) => record.id === null);
  if (idField !== undefined) {
    if (keyless.length > 0 && keyless.every((record) => scalarAt(record.document, idField) === null))
      throw new TributaryError('INPUT_INVALID', `none of the first ${String(keyless.length)} documents has a value in ${idField}, the id field`); // prettier-ignore
    return { kind: 'field', path: idField };
  }
  const having = (field: string): number =>
    keyless.filter((record) => scalarAt(record.document, field) !== null).length;
  const path = defaultFields.reduce((best, other) => (having(other) > having(best) ? other : best));
  return having(path) * 2 < keyless.length || keyless.length === 0
    ? { kind: 'generated' }
    : { kind: 'field', path };
};

/** The document's key by the rule, or null if it has none. */
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
  if (!Object.hasOwn(document, '_id')) return document;
  const kept: Record<string, JsonValue | undefined> = { ...document };
  delete kept['_id'];
  return kept;
};

const scalarAt = (document: JsonObject, path: string): string | null => {
  let value: unknown = document;
  for (const segment of path.split('.'))
    value = isJsonObject(value) && Object.hasOwn(value, segment) ? value[segment] : undefined;
  return (typeof value === 'string' && value !== '') || typeof value === 'number' ? String(value) : null;
};
