import type { JsonObject } from '../json/json.ts';
import { isJsonObject } from '../json/json.ts';

/** Settings assigned by the server, and settings specific to the cluster the index was in. */
const ofOneIndex: ReadonlySet<string> = new Set([
  'uuid',
  'history_uuid',
  'creation_date',
  'creation_date_string',
  'provided_name',
  'version',
  'resize',
  'routing',
  'blocks',
  'lifecycle',
  'verified_before_close',
]);

/**
 * The settings of an index body that another index can be created with: `analysis`, limits, shards and the like,
 * without the prefix `index`. Accepts the response to a settings request as is.
 * @returns an empty object when there are none
 */
export const indexSettings = (settings: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(settings).flatMap(([key, value]): [string, JsonObject[string]][] => {
      if (key === 'index' && isJsonObject(value)) return Object.entries(indexSettings(value));
      const name = key.replace(/^index\./, '');
      return ofOneIndex.has(name.split('.')[0]!) ? [] : [[name, value]];
    }),
  );
