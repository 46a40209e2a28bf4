import { TributaryError } from '../errors/errors.ts';
import type { NameCollision } from '../introspection/fields/names.ts';
import { fieldNameOffers, nameCollision } from '../introspection/fields/names.ts';
import type { JsonObject } from '../json/json.ts';
import { isJsonObject } from '../json/json.ts';

/**
 * The first two fields with the same GraphQL name, so that no catalogue could serve the index; null if all are
 * distinct.
 * @param settled properties whose collisions are ignored: those of an existing index or a given mapping
 */
export const fieldCollision = (properties: JsonObject, settled: JsonObject = {}): NameCollision | null =>
  nameCollision(fieldPaths(properties), new Set(fieldPaths(settled)));

/** @throws TributaryError INPUT_INVALID a collision found by `fieldCollision`, with suggested names */
export const rejectCollisions = (properties: JsonObject, settled?: JsonObject): void => {
  const found = fieldCollision(properties, settled);
  if (found === null) return;
  const [one, other] = fieldNameOffers(found.first, found.second);
  throw new TributaryError(
    'INPUT_INVALID',
    `${collisionText(found)}: rename them, for example to ${one} and ${other}`,
    { details: { fields: [found.first, found.second], offered: [one, other] } },
  );
};

/** A collision in words. */
export const collisionText = ({ first, second, name }: NameCollision): string =>
  `the fields "${first}" and "${second}" would both be ${name} in GraphQL`;

/** The dotted path of every field of a mapping's `properties`, objects before their fields. */
const fieldPaths = (properties: JsonObject, parent = ''): readonly string[] =>
  Object.entries(properties).flatMap(([name, definition]) => {
    const path = parent === '' ? name : `${parent}.${name}`;
    const below = isJsonObject(definition) ? definition['properties'] : undefined;
    return isJsonObject(below) ? [path, ...fieldPaths(below, path)] : [path];
  });
