import { TributaryError } from '../../errors/errors.ts';
import type { Field } from '../../introspection/fields/field.ts';
import type { CatalogueHit } from '../../search/query.ts';
import type { Sqon, SqonLeaf } from '../../sqon/ast.ts';
import { constant, isMembership, leaf } from '../../sqon/ast.ts';

/** The key of a hit over all nodes: `<nodeId>/<id>`, both percent-encoded. No two hits share one. */
export const hitKey = (nodeId: string, id: string): string =>
  `${encodeURIComponent(nodeId)}/${encodeURIComponent(id)}`;

/** The node that a hit is from; of a network that is a node, its node by its path. */
export const pathOf = (nodeId: string, hit: Pick<CatalogueHit, 'nodeId'>): string =>
  hit.nodeId === undefined ? nodeId : `${nodeId}/${hit.nodeId}`;

/** The key as a field: in no node's mapping, for filters only. */
export const keyField: Field = {
  path: '_key',
  type: 'keyword',
  kind: 'keyword',
  nestedIn: [],
  isArray: false,
  indexField: { path: '_key', type: 'keyword', nestedIn: [] },
};

/** Every node can be filtered by it. */
const idPath = 'id';

/** A condition on keys as one on the ids of a node, or on the keys of a network that is one. */
export const keyLeaf = ({ op, values, at }: SqonLeaf, nodeId: string, isNetwork = false): Sqon => {
  // the node of a network is named by a path, and the network knows it by what follows its own id
  const prefix = isNetwork ? encodeURIComponent(`${nodeId}/`) : `${encodeURIComponent(nodeId)}/`;
  const path = isNetwork ? keyField.path : idPath;
  const ids = values.flatMap((key) => {
    if (typeof key !== 'string' || !key.startsWith(prefix)) return [];
    const rest = key.slice(prefix.length);
    return isNetwork ? rest : decoded(rest);
  });
  if (!isMembership(op)) throw onlyMembership(op, at);
  switch (op) {
    case 'in':
      return ids.length === 0 ? constant(false, at) : leaf('in', path, ids, null, at);
    case 'all':
      return new Set(values).size === 1 && ids.length > 0
        ? leaf('in', path, ids.slice(0, 1), null, at)
        : constant(false, at);
    // a hit has one key
    case 'not-in':
    case 'some-not-in':
      return ids.length === 0 ? constant(true, at) : leaf('not-in', path, ids, null, at);
  }
};

/** No hit has a key that cannot be decoded. */
const decoded = (text: string): readonly string[] => {
  try {
    return [decodeURIComponent(text)];
  } catch {
    return [];
  }
};

/** @throws TributaryError BAD_USER_INPUT for a filter on keys other than membership */
export const assertKeyUses = (sqon: Sqon): void => {
  switch (sqon.kind) {
    case 'group':
      return sqon.content.forEach(assertKeyUses);
    case 'leaf':
      if (sqon.fieldName === keyField.path && !isMembership(sqon.op)) throw onlyMembership(sqon.op, sqon.at);
      return;
    case 'multi':
      if (sqon.fieldNames.includes(keyField.path)) throw onlyMembership(sqon.op, sqon.at);
      return;
    case 'constant':
      return;
  }
};

const onlyMembership = (op: string, at: string): TributaryError =>
  new TributaryError(
    'BAD_USER_INPUT',
    `filter at ${at}: ${op} does not fit "${keyField.path}", the key of a hit; use in or not-in`,
  );
