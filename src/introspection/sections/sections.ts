import { z } from 'zod';
import { optionalKey } from './key.ts';
import { extended, facets, matchbox, table } from './lists.ts';

const charts = z.record(z.string(), z.unknown());

const downloads = z.object({
  allowCustomMaxRows: optionalKey(z.boolean(), 'Whether a request may set a lower limit.', {
    byDefault: '`ALLOW_CUSTOM_DOWNLOAD_MAX_ROWS`',
  }),
  maxRows: optionalKey(z.int().min(0), 'The most rows in a file; 0 is no limit.', {
    byDefault: '`DOWNLOAD_MAX_ROWS`',
  }),
  chunkSize: optionalKey(z.int().min(1), 'How many documents are held in memory at a time.', {
    byDefault: '`DOWNLOAD_STREAM_BUFFER_SIZE`',
  }),
});

/** What a portal shows of a catalogue or of a network: the same keys in the files of both. */
export const portalSections = {
  extended: optionalKey(extended, 'Descriptions of fields, in addition to the mapping.'),
  table: optionalKey(table, 'The table of a portal.'),
  facets: optionalKey(facets, 'The facets of a portal; a bare list is that of `aggregations`.'),
  matchbox: optionalKey(matchbox, "The entries of a portal's matchbox."),
  charts: optionalKey(charts, 'For portals that draw charts; passed on unchanged.'),
  downloads: optionalKey(downloads, 'Limits of downloads.'),
};

/** The sections as written; an omitted one is undefined. */
export type PortalSections = {
  readonly [Name in keyof typeof portalSections]: z.output<(typeof portalSections)[Name]>;
};

/** A bare list of facets is that of their aggregations. */
export const withNamedFacets = <Keys extends Readonly<Record<string, unknown>>>(keys: Keys): Keys =>
  Array.isArray(keys['facets']) ? { ...keys, facets: { aggregations: keys['facets'] as unknown } } : keys;
