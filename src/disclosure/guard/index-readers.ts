import { TributaryError } from '../../errors/errors.ts';
import type { Catalogue } from '../../search/catalogue.ts';

/**
 * Which catalogues of a server read which indexes. The configuration has names only, and an alias can stand for an
 * index that another catalogue withholds.
 */
interface IndexReaders {
  /** Adds a catalogue in use as it is described now, in the place of the one of its id. */
  readonly add: (catalogue: Catalogue) => void;
  /** Whether no other catalogue in use reads an index of this one while either withholds its records. */
  readonly isApart: (catalogueId: string) => boolean;
  /** @throws TributaryError unknown_error naming both catalogues */
  readonly assertInUseApart: (catalogueId: string) => void;
  /** The check of `assertInUseApart` for a catalogue that is not in use yet. */
  readonly assertApart: (catalogue: Catalogue) => void;
  /** Whether there are indexes whose records some catalogue withholds, or did. */
  readonly withholds: () => boolean;
  readonly isWithheld: (indices: readonly string[]) => boolean;
}

/** The catalogues of one server, none yet. */
export const openReaders = (): IndexReaders => {
  const inUse = new Map<string, Catalogue>();
  // a catalogue that reads another index now does not open the one that it withheld: that takes a restart
  const withheld = new Map<string, Catalogue>();
  const sharing = (catalogue: Catalogue | undefined): Catalogue | undefined =>
    catalogue &&
    ([...inUse.values()].find((other) => other.id !== catalogue.id && isShared(catalogue, other)) ??
      formerReader(catalogue));
  const formerReader = ({ config, indices = [] }: Catalogue): Catalogue | undefined =>
    config.disclosure === undefined
      ? indices.map((index) => withheld.get(index)).find((one) => one !== undefined)
      : undefined;
  const assertApart = (catalogue: Catalogue | undefined): void => {
    const other = sharing(catalogue);
    if (other !== undefined)
      throw new TributaryError(
        'unknown_error',
        `disclosure.json: ${catalogue!.id} and ${other.id} serve the same index, perhaps under different names, which can have only one release; give each its own index`,
      );
  };
  return {
    add: (catalogue) => {
      inUse.set(catalogue.id, catalogue);
      if (catalogue.config.disclosure !== undefined)
        catalogue.indices?.forEach((index) => withheld.set(index, catalogue));
    },
    isApart: (catalogueId) => sharing(inUse.get(catalogueId)) === undefined,
    assertInUseApart: (catalogueId) => assertApart(inUse.get(catalogueId)),
    assertApart,
    withholds: () => withheld.size > 0,
    isWithheld: (indices) => indices.some((index) => withheld.has(index)),
  };
};

const isShared = (left: Catalogue, right: Catalogue): boolean =>
  [left, right].some(({ config }) => config.disclosure !== undefined) &&
  (left.indices ?? []).some((index) => right.indices?.includes(index));
