import { indexSettings } from '../engines/index-settings.ts';
import { TributaryError } from '../errors/errors.ts';
import type { JsonObject } from '../json/json.ts';
import { isJsonObject } from '../json/json.ts';

export interface MappingBody {
  /** `{dynamic, properties}`. */
  readonly mapping: JsonObject;
  /** The names under `aliases`. */
  readonly aliases: readonly string[];
  /** Settings that the mapping needs, such as `analysis`, and those for creating the index; absent if none. */
  readonly settings?: JsonObject;
}

/**
 * An index body: `{settings, mappings, aliases}`, the response of an engine's mapping request (`{<index>:
 * {mappings}}`), or the mapping itself (`{dynamic, properties}`). Settings specific to the original index are dropped.
 * @param where names the file in errors
 * @throws TributaryError INPUT_INVALID anything else
 */
export const readMappingBody = (content: unknown, where: string): MappingBody => {
  if (!isJsonObject(content)) throw unknownShape(where);
  const [only, second] = Object.values(content);
  const body = second === undefined && isJsonObject(only) && 'mappings' in only ? only : content;
  const mapping = 'mappings' in body ? body['mappings'] : 'properties' in body ? body : undefined;
  if (!isJsonObject(mapping)) throw unknownShape(where);
  if (mapping['properties'] !== undefined && !isJsonObject(mapping['properties'])) throw unknownShape(where);
  const settings = isJsonObject(body['settings']) ? indexSettings(body['settings']) : {};
  return {
    mapping,
    aliases: isJsonObject(body['aliases']) ? Object.keys(body['aliases']) : [],
    ...(Object.keys(settings).length > 0 && { settings }),
  };
};

/** Whether unmapped fields are added to the mapping: yes unless `dynamic` is false or strict. */
export const isDynamic = (mapping: JsonObject): boolean =>
  !['false', 'strict'].includes(String(mapping['dynamic'] ?? true));

const unknownShape = (where: string): TributaryError =>
  new TributaryError(
    'INPUT_INVALID',
    `${where} is not a mapping: {"mappings": {"properties": {...}}} or {"properties": {...}} is accepted`,
  );
