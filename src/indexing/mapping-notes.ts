import type { EngineSettings } from '../engines/open/open-engine.ts';
import { invalidInput, type TributaryError } from '../lib/errors/errors.ts';
import { isMappedType, mappedTypes } from '../introspection/fields/field.ts';
import { mappedFields, propertiesOf, type MappedField } from '../introspection/mapping/mapping.ts';
import { notHonoured } from '../introspection/mapping/not-honoured.ts';
import { analysisOf } from '../introspection/terms/term-forms.ts';
import { isJsonObject, type JsonObject } from '../lib/json/json.ts';
import { firstOf } from '../lib/text/escaped-text.ts';
import { closest } from '../lib/text/unknown-keys.ts';
import type { MappingBody } from './mapping-body.ts';

type EngineKind = EngineSettings['kind'];

/**
 * Messages about parts of a mapping file that an engine ignores.
 * @param where names the file in errors
 * @throws TributaryError INPUT_INVALID for types that do not exist, and for values to be held back that would be shown
 */
export const mappingNotes = (
  { mapping, settings = {}, documentLevel }: Omit<MappingBody, 'aliases'>,
  engine: EngineKind,
  where: string,
): readonly string[] => {
  const fields = mappedFields(propertiesOf(mapping), true);
  const unknown = fields.flatMap((field) => unknownType(field));
  if (unknown.length > 0) throw invalid(where, unknown.join('; '));
  const level = `what is under "${documentLevel}" is taken for the mapping: search servers have no such level since version 7`;
  const notes = [
    ...(documentLevel === undefined ? [] : [level]),
    ...computed(mapping),
    ...(engine === 'embedded' ? embeddedNotes(mapping, settings, fields, where) : []),
  ];
  return notes.map((note) => `${where}: ${note}`);
};

/** Types of plugins are left to their servers. */
const unknownType = ({ path, definition: { type } }: MappedField): readonly string[] => {
  if (type === undefined || (typeof type === 'string' && isMappedType(type))) return [];
  const near = typeof type === 'string' ? closest(type, mappedTypes) : null;
  if (near === null) return [`field "${path}" has the type ${JSON.stringify(type)}: a name expected`];
  return near.isSlip
    ? [`field "${path}" has the type "${String(type)}", which does not exist: did you mean "${near.name}"?`]
    : [];
};

/** Fields that search servers compute: runtime ones of Elasticsearch, derived ones of OpenSearch. */
const computed = (mapping: JsonObject): readonly string[] =>
  ['runtime', 'derived'].flatMap((key) => {
    const names = isJsonObject(mapping[key]) ? Object.keys(mapping[key]) : [];
    if (names.length === 0) return [];
    return `the fields under ${key} are left out: ${firstOf(names, maxListed)}; no document holds their values: map them under properties`;
  });

const embeddedNotes = (
  mapping: JsonObject,
  settings: JsonObject,
  fields: readonly MappedField[],
  where: string,
): readonly string[] => {
  assertExcludesOnly(mapping['_source'], where);
  const analysis = analysisOf(settings);
  const { normalizer: _normalizer, filter: _filter, ...otherAnalysis } = analysis;
  const ignored = [
    ...Object.keys(mapping).filter((key) => !mappingKeys.has(key)),
    ...Object.keys(settings)
      .filter((key) => key !== 'analysis')
      .map((key) => `settings.${key}`),
    ...Object.keys(otherAnalysis).map((key) => `settings.analysis.${key}`),
  ];
  return [
    ...(ignored.length === 0 ? [] : [`the embedded engine ignores ${firstOf(ignored, maxListed)}`]),
    ...ignoredParameters(fields),
    ...notHonoured(mapping, analysis),
    ...fields.flatMap(foreignType),
  ];
};

const mappingKeys: ReadonlySet<string> = new Set([
  ...['properties', 'dynamic', '_source', '_meta', 'runtime', 'derived'],
]);

/** Not only ignored: users who list values to be held back rely on it. */
const assertExcludesOnly = (source: unknown, where: string): void => {
  const other = isJsonObject(source) && Object.keys(source).find((key) => key !== 'excludes');
  if (other)
    throw invalid(
      where,
      `_source.${other} is not possible with the embedded engine: list what must not leave under _source.excludes`,
    );
};

const parameters = ['index', 'doc_values', 'script', 'similarity', 'locale', 'eager_global_ordinals'];

const ignoredParameters = (fields: readonly MappedField[]): readonly string[] =>
  parameters.flatMap((name) => {
    const having = fields.filter(
      ({ definition }) => definition[name] !== undefined && definition[name] !== true,
    );
    return having.length === 0
      ? []
      : [
          `the embedded engine ignores "${name}" of ${firstOf(
            having.map(({ path }) => path),
            maxListed,
          )}`,
        ];
  });

const foreignType = ({ path, definition: { type } }: MappedField): readonly string[] =>
  typeof type === 'string' && !isMappedType(type)
    ? [`field "${path}" of type ${type} is kept and shown by the embedded engine, but not searched`]
    : [];

const maxListed = 10;

const invalid = (where: string, problem: string): TributaryError => invalidInput(`${where}: ${problem}`);
