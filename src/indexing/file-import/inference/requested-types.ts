import { editDistance } from '../../../lib/text/edit-distance.ts';
import { invalidInput, type TributaryError } from '../../../lib/errors/errors.ts';
import { keywordProperty } from '../../../introspection/mapping/infer.ts';
import { isJsonObject, setOwn, type JsonObject } from '../../../lib/json/json.ts';
import { propertiesOf } from '../../../introspection/mapping/mapping.ts';
import { mappingType } from '../../mapping-body.ts';

/** Types that can be requested for a field. */
export const requestableTypes = [
  'keyword',
  'text',
  'long',
  'integer',
  'short',
  'byte',
  'unsigned_long',
  'double',
  'float',
  'date',
  'boolean',
  'ip',
  'version',
] as const;

/**
 * A mapping's properties with the requested types, creating missing objects along their paths.
 * @param known the paths in the file's documents; null when the names have already been checked
 * @param given whether the mapping was supplied by the user, so that its types must not change
 * @throws TributaryError INPUT_INVALID a field that does not exist or is mapped as another type
 */
export const withRequestedTypes = (
  properties: JsonObject,
  types: ReadonlyMap<string, string>,
  known: readonly string[] | null,
  given: boolean,
): JsonObject => {
  let typed = properties;
  for (const [path, type] of types) {
    const mapped = mappingType(typed, path);
    if (given && mapped !== null && mapped !== type)
      throw invalidInput(
        `--types gives ${path} the type ${type}, but the mapping says ${mapped}: change the mapping and load with --replace`,
      );
    if (known !== null && !known.includes(path)) throw unknownField(path, known);
    if (mapped !== type)
      typed = withProperty(typed, path.split('.'), type === 'keyword' ? keywordProperty : { type });
  }
  return typed;
};

/** A mapping's properties with another definition at a path; missing objects along it are created. */
export const withProperty = (
  properties: JsonObject,
  [name = '', ...below]: readonly string[],
  definition: JsonObject,
): JsonObject => {
  const changed: Record<string, unknown> = { ...properties };
  const before = Object.hasOwn(properties, name) ? properties[name] : undefined;
  if (below.length === 0) setOwn(changed, name, definition);
  else {
    const object = isJsonObject(before) ? before : {};
    setOwn(changed, name, { ...object, properties: withProperty(propertiesOf(object), below, definition) });
  }
  return changed as JsonObject;
};

const unknownField = (path: string, known: readonly string[]): TributaryError => {
  const [closest] = [...known].sort((a, b) => editDistance(path, a) - editDistance(path, b));
  const hint = closest === undefined ? '' : `: did you mean ${closest}?`;
  return invalidInput(`--types names ${path}, which no document has${hint}`);
};
