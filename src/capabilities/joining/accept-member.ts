import { editJson } from '../../server/config/edit-json.ts';
import { asTributaryError, invalidInput, TributaryError } from '../../lib/errors/errors.ts';
import { readNodes } from '../../federation/config/read-nodes.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json/json.ts';
import type { Invitations, Proposal } from './invitations.ts';

/**
 * Writes the key of an invited member, and the names and values that it proposes, into its entry of nodes.json, which a
 * running server then reads. What an operator has written there stays.
 * @throws TributaryError NOT_FOUND when no member waits under this id, INPUT_INVALID when what it proposes cannot be in
 *   the file, CONFIG_INVALID when the file cannot be changed
 */
export const acceptMember = (nodesFile: string, invitations: Invitations, nodeId: string): Promise<void> => {
  const { documentType, key, fields, values } = acceptedParts(invitations, nodeId);
  const change = ({ left: _left, ...entry }: JsonObject): JsonObject => ({
    ...(documentType !== undefined && { documentType }),
    ...entry,
    key,
    fields: withProposed(entry, 'fields', fields),
    values: withProposed(entry, 'values', values),
  });
  return editJson(nodesFile, (content) => valid(withEntry(content, nodesFile, nodeId, change), nodesFile));
};

/**
 * The additions to the entry of an accepted member: its key and what it proposes.
 * @throws TributaryError NOT_FOUND when no member waits under this id
 */
export const acceptedParts = (
  invitations: Invitations,
  nodeId: string,
): { readonly key: string } & Proposal => {
  const { key = null, proposal = null } = invitations.find(nodeId) ?? {};
  if (key !== null && proposal !== null) return { ...proposal, key };
  throw new TributaryError(
    'NOT_FOUND',
    `no server waits to be accepted as "${nodeId}": it has to dial in first`,
  );
};

/**
 * Removes the key of a member, whose entry stays.
 * @param left the day on which it left on its own; unset: it was refused
 * @throws TributaryError CONFLICT for a node that does not dial in
 */
export const refuseMember = (nodesFile: string, nodeId: string, left?: string): Promise<void> =>
  editJson(nodesFile, (content) =>
    withEntry(content, nodesFile, nodeId, ({ key: _key, ...entry }) => {
      if (entry['dialsIn'] === true) return { ...entry, ...(left !== undefined && { left }) };
      throw new TributaryError(
        'CONFLICT',
        `node "${nodeId}" of ${nodesFile} does not dial in: it has no key`,
      );
    }),
  );

/**
 * Adds the entry of a node that dials in, unless it exists.
 * @returns whether it was added
 * @throws TributaryError INPUT_INVALID for an id or a name that no node can have, CONFIG_INVALID when the file cannot be
 *   changed
 */
export const addMember = async (
  nodesFile: string,
  nodeId: string,
  displayName?: string,
): Promise<boolean> => {
  let isAdded = false;
  await editJson(nodesFile, (content) => {
    const nodes = entriesIn(content);
    if (nodes.some((entry) => isJsonObject(entry) && entry['nodeId'] === nodeId)) return null;
    isAdded = true;
    return valid({ ...content, nodes: [...nodes, newEntry(nodeId, displayName)] }, nodesFile);
  });
  return isAdded;
};

/** The entry of nodes.json for a node that dials in. */
export const newEntry = (nodeId: string, displayName?: string): JsonObject => ({
  nodeId,
  ...(displayName === undefined ? {} : { displayName }),
  dialsIn: true,
});

const withEntry = (
  content: JsonObject,
  nodesFile: string,
  nodeId: string,
  change: (entry: JsonObject) => JsonObject,
): JsonObject => {
  const nodes = entriesIn(content);
  const at = nodes.findIndex((entry) => isJsonObject(entry) && entry['nodeId'] === nodeId);
  if (at === -1) throw new TributaryError('NOT_FOUND', `${nodesFile} has no node "${nodeId}"`);
  return { ...content, nodes: nodes.with(at, change(nodes[at] as JsonObject)) };
};

/** Checks the content: a file that would prevent a server from starting is not written. */
const valid = (content: JsonObject, nodesFile: string): JsonObject => {
  try {
    readNodes(content, nodesFile);
    return content;
  } catch (error) {
    throw invalidInput(`${asTributaryError(error).message}: nothing is written`, { cause: error });
  }
};

const entriesIn = ({ nodes }: JsonObject): JsonValue[] => (Array.isArray(nodes) ? nodes : []);

/** An operator's lines, completed by the proposed ones: a field has one name, one unit or one value. */
const withProposed = (
  entry: JsonObject,
  key: 'fields' | 'values',
  proposed: Readonly<Record<string, JsonValue>>,
): JsonObject => {
  const own = objectIn(entry, key);
  const taken = new Set(key === 'fields' ? Object.values(own) : []);
  const others = [objectIn(entry, 'constants'), ...(key === 'values' ? [objectIn(entry, 'units')] : [])];
  const fresh = Object.entries(proposed).filter(
    ([path, value]) => !taken.has(value) && !others.some((one) => Object.hasOwn(one, path)),
  );
  return { ...Object.fromEntries(fresh), ...own };
};

const objectIn = (entry: JsonObject, key: string): JsonObject => {
  const value = entry[key];
  return isJsonObject(value) ? value : {};
};
