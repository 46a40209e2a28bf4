import { TributaryError } from '../../errors/errors.ts';
import type { Catalogue } from '../../search/catalogue.ts';

/**
 * Which catalogues of a server read which indexes. The configuration tells names only, and an alias can stand for an
 * index that another catalogue withholds.
 */
export interface IndexReaders {
  /** Adds a catalogue as it is described now. */
  readonly add: (catalogue: Catalogue) => void;
  /** Whether no other catalogue reads an index of this one while either withholds its records. */
  readonly isApart: (catalogueId: string) => boolean;
  /** @throws TributaryError unknown_error naming both catalogues */
  readonly assertApart: (catalogueId: string) => void;
}

/** The catalogues of one server, none yet. */
export const openReaders = (): IndexReaders => {
  const known = new Map<string, Catalogue>();
  const sharing = (catalogueId: string): string | null => {
    const own = known.get(catalogueId);
    for (const other of known.values())
      if (own !== undefined && other !== own && isShared(own, other)) return other.id;
    return null;
  };
  return {
    add: (catalogue) => void known.set(catalogue.id, catalogue),
    isApart: (catalogueId) => sharing(catalogueId) === null,
    assertApart: (catalogueId) => {
      const other = sharing(catalogueId);
      if (other !== null)
        throw new TributaryError(
          'unknown_error',
          `disclosure.json: ${catalogueId} and ${other} serve the same index, perhaps under different names, which can have only one release; give each its own index`,
        );
    },
  };
};

const isShared = (left: Catalogue, right: Catalogue): boolean =>
  [left, right].some(({ config }) => config.disclosure !== undefined) &&
  (left.indices ?? []).some((index) => right.indices?.includes(index));
