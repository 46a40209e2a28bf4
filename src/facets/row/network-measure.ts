import type { MeasureKind } from '../../engines/measure.ts';
import type { FacetMeasure } from '../../search/query.ts';

/** What a network is asked: as a catalogue is, but for lists of values, of which the rest is the network's own affair. */
export type NetworkMeasure<Kind extends MeasureKind = MeasureKind> = {
  readonly [K in Kind]: { readonly kind: K } & AskedOfNetwork[K];
}[Kind];

type AskedAsOfCatalogues = {
  readonly [Kind in Exclude<MeasureKind, 'terms'>]: Omit<FacetMeasure<Kind>, 'kind'>;
};

interface AskedOfNetwork extends AskedAsOfCatalogues {
  readonly terms: {
    /** The most buckets that any selection of the field wants, `__missing__` aside; null for all. */
    readonly max: number | null;
    /** Folded: what shown keys must contain. */
    readonly matching?: string;
  };
}
