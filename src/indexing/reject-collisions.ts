import { TributaryError } from '../errors.ts';
import type { NameCollision } from '../introspection/fields/names.ts';
import { fieldNameOffers, nameCollision } from '../introspection/fields/names.ts';
import type { JsonObject } from '../json.ts';
import { fieldPaths } from './field-paths.ts';

/**
 * The first two fields that GraphQL has one name for, so that no catalogue could serve the index; null when it can tell
 * all apart.
 * @param settled properties whose collisions are not asked for: those of an index, or of a mapping that was given
 */
export const fieldCollision = (properties: JsonObject, settled: JsonObject = {}): NameCollision | null =>
  nameCollision(fieldPaths(properties), new Set(fieldPaths(settled)));

/** @throws TributaryError INPUT_INVALID a collision as `fieldCollision` finds it, with names to take instead */
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
