import type { IndexField } from '../../introspection/fields/field.ts';
import type { IndexStatistics } from '../engine.ts';
import { assumed } from './prices.ts';

/** The known figures of an index, with assumptions for the unknown ones. */
export interface IndexEstimates {
  readonly documents: number;
  readonly documentBytes: number;
  /** The number of objects at a nested path; '' for the documents. */
  objects(path: string): number;
  values(field: IndexField): number;
  strings(field: IndexField): number;
  stringBytes(field: IndexField): number;
  /** The maximum number of buckets of a histogram. */
  histogramBuckets(field: IndexField, interval: number): number;
}

/** An index's figures from its statistics; what those leave out is assumed (`prices.ts`). */
export const indexEstimates = (statistics: IndexStatistics): IndexEstimates => {
  const { documents } = statistics;
  const objects = (path: string): number =>
    path === '' ? documents : (statistics.objects?.get(path) ?? documents * assumed.objectsToDocument);
  const of = (field: IndexField) => statistics.fields?.get(field.path);
  const values = (field: IndexField): number => of(field)?.values ?? objects(field.nestedIn.at(-1) ?? '');
  const strings = (field: IndexField): number =>
    of(field)?.strings ?? Math.min(values(field), assumed.strings);
  return {
    documents,
    documentBytes: statistics.documentBytes ?? assumed.documentBytes,
    objects,
    values,
    strings,
    stringBytes: (field) => of(field)?.stringBytes ?? strings(field) * assumed.stringBytes,
    histogramBuckets: (field, interval) => {
      const span = of(field)?.span;
      return span === undefined ? assumed.histogramBuckets : Math.floor(span / interval) + 2;
    },
  };
};
