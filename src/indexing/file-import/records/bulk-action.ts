import type { JsonObject } from '../../../json/json.ts';
import { isJsonObject } from '../../../json/json.ts';

/** An action line of a bulk body. `create` is taken as `index`: loading a file twice gives the same index. */
export interface BulkAction {
  readonly verb: 'index' | 'delete' | 'update';
  readonly id: string | null;
}

const verbs: Readonly<Record<string, BulkAction['verb']>> = {
  index: 'index',
  create: 'index',
  delete: 'delete',
  update: 'update',
};

/** Keys an action may have besides `_id`, `_index` and other underscored ones. */
const options = new Set(['routing', 'version', 'version_type', 'pipeline', 'require_alias', 'retry_on_conflict', 'if_seq_no', 'if_primary_term']); // prettier-ignore

/** The object as an action line, or null if it is not one: a single known verb whose value has only metadata. */
export const bulkAction = (line: JsonObject): BulkAction | null => {
  const [entry, second] = Object.entries(line);
  if (entry === undefined || second !== undefined) return null;
  const verb = Object.hasOwn(verbs, entry[0]) ? verbs[entry[0]] : undefined;
  const metadata = entry[1];
  if (verb === undefined || !isJsonObject(metadata)) return null;
  if (!Object.keys(metadata).every((key) => key.startsWith('_') || options.has(key))) return null;
  const id = metadata['_id'];
  return { verb, id: typeof id === 'string' || typeof id === 'number' ? String(id) : null };
};
