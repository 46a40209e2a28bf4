import { editJson } from '../config/edit-json.ts';
import { TributaryError } from '../errors/errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/json.ts';
import type { Invitations, Proposal } from '../tunnel/invitations.ts';

/**
 * Writes the key of an invited member, and the names and values that it proposes, into its entry of nodes.json, which a
 * running server then reads. What a person has written there stays.
 * @throws TributaryError NOT_FOUND when nobody waits under this id, CONFIG_INVALID when the file cannot be changed
 */
export const acceptMember = (nodesFile: string, invitations: Invitations, nodeId: string): Promise<void> => {
  const { documentType, key, fields, values } = acceptedParts(invitations, nodeId);
  return editEntry(nodesFile, nodeId, ({ left: _left, ...entry }) => ({
    ...(documentType !== undefined && { documentType }),
    ...entry,
    key,
    fields: { ...fields, ...objectIn(entry, 'fields') },
    values: { ...values, ...objectIn(entry, 'values') },
  }));
};

/**
 * What the entry of an accepted member gets: its key and what it proposes.
 * @throws TributaryError NOT_FOUND when nobody waits under this id
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
 * Forgets the key of a member, whose entry stays.
 * @param left the day it has left by itself; unset: it was refused
 */
export const refuseMember = (nodesFile: string, nodeId: string, left?: string): Promise<void> =>
  editEntry(nodesFile, nodeId, (entry) => ({
    ...Object.fromEntries(Object.entries(entry).filter(([key]) => key !== 'key')),
    ...(left !== undefined && { left }),
  }));

/** Adds the entry of a node that dials in, if it is not there. @returns whether it was added */
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
    return { ...content, nodes: [...nodes, newEntry(nodeId, displayName)] };
  });
  return isAdded;
};

/** The entry of nodes.json for a node that dials in. */
export const newEntry = (nodeId: string, displayName?: string): JsonObject => ({
  nodeId,
  ...(displayName === undefined ? {} : { displayName }),
  dialsIn: true,
});

const editEntry = (
  nodesFile: string,
  nodeId: string,
  change: (entry: JsonObject) => JsonObject,
): Promise<void> =>
  editJson(nodesFile, (content) => {
    const nodes = entriesIn(content);
    const at = nodes.findIndex((entry) => isJsonObject(entry) && entry['nodeId'] === nodeId);
    if (at === -1) throw new TributaryError('NOT_FOUND', `${nodesFile} has no node "${nodeId}"`);
    return { ...content, nodes: nodes.with(at, change(nodes[at] as JsonObject)) };
  });

const entriesIn = ({ nodes }: JsonObject): JsonValue[] => (Array.isArray(nodes) ? nodes : []);

const objectIn = (entry: JsonObject, key: string): JsonObject => {
  const value = entry[key];
  return isJsonObject(value) ? value : {};
};
