import { keywordProperty } from '../../../introspection/mapping/infer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../lib/json/json.ts';
import { mappingType } from '../../mapping-body.ts';
import type { DocumentRecord } from '../records/source-record.ts';
import { newKeySurvey, type KeySurvey } from '../document-id.ts';
import { newEvidence, placed, type Evidence } from './field-evidence.ts';
import { withProperty } from './requested-types.ts';

/** The fields in a file's documents; its size depends on the fields, not on the documents. */
export interface Survey {
  add(record: DocumentRecord): void;
  readonly evidence: Evidence;
  readonly keys: KeySurvey;
  /** Changes whenever the properties or the key may have changed. */
  changes(): number;
  /** The mapping's `properties` that accept all values so far without loss. */
  properties(): JsonObject;
}

/** A survey without any documents. */
export const newSurvey = (): Survey => {
  const evidence = newEvidence();
  const keys = newKeySurvey();
  const longDigits = new Set<string>();
  return {
    evidence,
    keys,
    changes: () => evidence.changes() + longDigits.size + keys.changes(),
    add: (record) => {
      keys.add(record);
      const typed = record.rounded ?? record.document;
      evidence.add(typed, record.line, record.file);
      if (record.rounded !== null)
        noteLongDigits(record.document, record.rounded, '', (path, digits) => {
          const field = evidence.fields.get(path);
          if (field?.example === String(Number(digits))) field.example = digits;
          if (!/^-?\d+$/.test(digits)) return;
          longDigits.add(path);
          if (field !== undefined) field.longDigits ??= placed(record.line, record.file, digits);
        });
    },
    properties: () => {
      let properties = evidence.properties();
      // a double would round them
      for (const path of longDigits)
        if (mappingType(properties, path) === 'double')
          properties = withProperty(properties, path.split('.'), keywordProperty);
      return properties;
    },
  };
};

/** Finds the paths where `rounded` has a number instead of the digits in `exact`. */
const noteLongDigits = (
  exact: JsonValue | undefined,
  rounded: JsonValue | undefined,
  path: string,
  onDigits: (path: string, digits: string) => void,
): void => {
  if (typeof exact === 'string' && typeof rounded === 'number') onDigits(path, exact);
  else if (Array.isArray(exact) && Array.isArray(rounded))
    (exact as readonly JsonValue[]).forEach((item, at) =>
      noteLongDigits(item, (rounded as readonly JsonValue[])[at], path, onDigits),
    );
  else if (isJsonObject(exact) && isJsonObject(rounded))
    for (const [name, value] of Object.entries(exact))
      noteLongDigits(value, rounded[name], path === '' ? name : `${path}.${name}`, onDigits);
};
