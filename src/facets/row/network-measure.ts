import type { MeasureKind } from '../../engines/measure.ts';
import type { FacetMeasure } from '../../search/query.ts';

/** A network's request: like a catalogue's, except for value lists and samples, whose other options the network handles itself. */
export type NetworkMeasure<Kind extends MeasureKind = MeasureKind> = {
  readonly [K in Kind]: { readonly kind: K } & AskedOfNetwork[K];
}[Kind];

type AskedAsOfCatalogues = {
  readonly [Kind in Exclude<MeasureKind, 'terms' | 'distinct_sample'>]: Omit<FacetMeasure<Kind>, 'kind'>;
};

interface AskedOfNetwork extends AskedAsOfCatalogues {
  readonly terms: {
    /** The most buckets that any selection of the field requests, not counting `__missing__`; null for all. */
    readonly max: number | null;
    /** Folded: the text that shown keys must contain. */
    readonly matching?: string;
    /** Only of nodes that give no sample of the values. */
    readonly unsampled?: true;
  };
  readonly distinct_sample: {
    /** Only of nodes that give one: the others are not reported as lacking the field. */
    readonly optional?: true;
  };
}
