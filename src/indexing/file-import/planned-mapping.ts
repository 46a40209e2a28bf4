import type { IndexDescription } from '../../engines/engine.ts';
import { keywordProperty, unknownTo } from '../../introspection/mapping/infer.ts';
import { propertiesOf } from '../../introspection/mapping/mapping.ts';
import { isJsonObject, setOwn, type JsonObject } from '../../lib/json/json.ts';
import { withProperty, withRequestedTypes } from './inference/requested-types.ts';
import type { Survey } from './inference/survey.ts';
import { typeMisfit } from './inference/type-check.ts';
import {
  fieldCollision,
  isDynamic,
  mappingType,
  mergeProperties,
  rejectCollisions,
} from '../mapping-body.ts';
import type { TableColumn } from './records/source-record.ts';

/** The mapping that a load was given, and whether the old content is replaced. */
export interface MappingRequest {
  /** `{dynamic, properties}`; null to infer it from the documents. */
  readonly mapping: JsonObject | null;
  /** Whether the previous content of the index is replaced. */
  readonly replace: boolean;
}

/** The mapping that a load uses. */
export interface PlannedMapping {
  /** For creating or extending the index. */
  readonly mapping: JsonObject;
  /** Whether the mapping was inferred from the documents. */
  readonly inferred: boolean;
  /** The properties the index will have. */
  readonly properties: JsonObject;
  /** Whether documents may have fields without a mapping that are to be added. */
  readonly dynamic: boolean;
  /** Why a document's values do not fit the types of its fields, or null. */
  readonly misfit: (document: JsonObject) => string | null;
}

/** The fields of a file. */
interface FileFields {
  /** The documents that the mapping is made for. */
  readonly survey: Survey;
  /** Fields of the first records: a collision between them is an error. */
  readonly early: JsonObject;
  /** Whether later documents have no other fields. */
  readonly complete: boolean;
  /** The requested types, by field. */
  readonly types: ReadonlyMap<string, string>;
  /** The types that the file declares. */
  readonly declared: ReadonlyMap<string, string>;
  /** The columns of a table; null for documents. */
  readonly columns: readonly TableColumn[] | null;
  readonly isTable: boolean;
}

/**
 * The mapping for the documents surveyed so far.
 * @throws TributaryError a requested type that the mapping contradicts or no document has; names that GraphQL cannot
 *   distinguish
 */
export const plannedMapping = (
  request: MappingRequest,
  existing: IndexDescription | null,
  { survey, early, complete, types, declared, columns, isTable }: FileFields,
): PlannedMapping => {
  const { mapping: given, inferred, dynamic } = givenMapping(request, existing);
  const before = request.replace ? {} : (existing?.properties ?? {});
  const surveyed = inOrder(withDeclared(survey.properties(), declared), columns ?? []);
  const usable = dynamic
    ? servable(surveyed, inferred ? early : {}, mergeProperties(before, propertiesOf(given)))
    : {};
  const mapping = extended(given, usable, before);
  const known = isTable ? null : [...survey.evidence.fields.keys()];
  const settled = mergeProperties(before, propertiesOf(inferred ? mapping : given));
  withRequestedTypes(settled, types, known, !inferred);
  const typed = withRequestedTypes(propertiesOf(mapping), types, null, false);
  const properties = mergeProperties(before, typed);
  // fields of a given mapping or existing index are deliberate; here names in documents become fields
  rejectCollisions(properties, inferred ? before : settled);
  // inferred types accept all values, so only requested ones are checked
  const checked = inferred ? withRequestedTypes({}, types, null, false) : properties;
  return {
    mapping: types.size === 0 ? mapping : { ...mapping, properties: typed },
    inferred,
    properties,
    dynamic: dynamic && !(complete && usable === surveyed),
    misfit:
      Object.keys(checked).length === 0
        ? () => null
        : (document) => typeMisfit(checked, document, isTable ? 'column' : 'field'),
  };
};

/** The given mapping, and whether fields are inferred: all of them, or only missing ones. */
export const givenMapping = (
  request: MappingRequest,
  existing: IndexDescription | null,
): { readonly mapping: JsonObject; readonly inferred: boolean; readonly dynamic: boolean } => {
  const given = request.mapping ?? {};
  const extendsIndex = existing !== null && !request.replace;
  const dynamic = isDynamic(
    extendsIndex && existing.dynamic !== undefined ? { dynamic: existing.dynamic } : given,
  );
  const hasFields = given['properties'] !== undefined || !dynamic;
  return hasFields || extendsIndex
    ? { mapping: given, inferred: false, dynamic }
    : { mapping: { dynamic: true, ...given }, inferred: true, dynamic };
};

const extended = (given: JsonObject, surveyed: JsonObject, before: JsonObject): JsonObject => {
  const named = propertiesOf(given);
  const added = unknownTo(mergeProperties(before, named), surveyed);
  if (added === null && given['properties'] !== undefined) return given;
  return added === null ? given : { ...given, properties: mergeProperties(named, added) };
};

/** The inferred properties, with the types that the file declares if the values fit them. */
const withDeclared = (properties: JsonObject, declared: ReadonlyMap<string, string>): JsonObject => {
  let typed = properties;
  for (const [name, type] of declared)
    if (declarable(type).includes(mappingType(properties, name) ?? ''))
      typed = withProperty(typed, name.split('.'), type === 'keyword' ? keywordProperty : { type });
  return typed;
};

/** The types that may have been inferred from values of a declared type. */
const declarable = (type: string): readonly string[] =>
  type === 'keyword' ? ['date', 'text'] : ['long', 'double'];

/**
 * The inferred properties without fields after the sample that GraphQL cannot distinguish from others: records with such
 * fields are rejected.
 * @param early fields whose collision is an error instead; fields of an existing index or a mapping have no collisions
 */
export const servable = (inferred: JsonObject, early: JsonObject, known: JsonObject): JsonObject => {
  let properties = inferred;
  for (;;) {
    const collision = fieldCollision(mergeProperties(known, properties), known);
    const late =
      collision === null
        ? undefined
        : [collision.second, collision.first].find(
            (path) => mappingType(early, path) === null && mappingType(known, path) === null,
          );
    if (late === undefined) return properties;
    properties = without(properties, late.split('.'));
  }
};

/** The properties in the order of the columns: the first record may lack some. */
const inOrder = (properties: JsonObject, columns: readonly TableColumn[]): JsonObject => {
  const ordered: Record<string, unknown> = {};
  for (const name of [...columns.map(({ field }) => field.split('.')[0]!), ...Object.keys(properties)])
    if (Object.hasOwn(properties, name)) setOwn(ordered, name, properties[name]);
  return ordered as JsonObject;
};

const without = (properties: JsonObject, [name = '', ...below]: readonly string[]): JsonObject => {
  const { [name]: definition, ...others } = properties;
  if (below.length === 0 || !isJsonObject(definition)) return others;
  return { ...properties, [name]: { ...definition, properties: without(propertiesOf(definition), below) } };
};
