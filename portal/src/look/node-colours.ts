import type { Catalogue } from '../api/catalogue.ts';

/** The number of institutions with their own colours; further ones share the neutral one. */
export const colouredNodes = 7;

/** The colour of an institution, the same on every page. */
export const colourOf = ({ nodes }: Catalogue, nodeId: string): string => {
  const at = nodes.findIndex((node) => node.nodeId === nodeId);
  return at === -1 || at >= colouredNodes ? 'var(--quiet)' : `var(--node-${at})`;
};

/** An institution's display name; its id if the catalogue does not list it. */
export const nameOf = ({ nodes }: Catalogue, nodeId: string): string =>
  nodes.find((node) => node.nodeId === nodeId)?.name ?? nodeId;

/** Where there is no room for all: those with most records, in the order of all. */
export const largest = <Part extends { readonly hits: number | null }>(
  parts: readonly Part[],
  count: number,
): readonly Part[] => {
  if (parts.length <= count) return parts;
  const most = new Set(parts.toSorted((one, other) => (other.hits ?? -1) - (one.hits ?? -1)).slice(0, count));
  return parts.filter((part) => most.has(part));
};

/** The first part of a long name: "Lakeshore Hospital, Toronto" is shortened if there is little space. */
export const shortName = (name: string): string => {
  const parts = name.split(', ');
  return name.length > 24 && parts.length > 1 ? parts.at(-1)! : name;
};
