import type { z } from 'zod';
import { portalSections } from '../../introspection/sections/sections.ts';

/** What a portal shows of the network, in the forms of a catalogue's files; docs/configuration.md lists those once. */
const like = <Section extends z.ZodType>(
  section: Section,
  name: string,
  meaning: string,
  byDefault: string,
) =>
  section.optional().meta({
    description: meaning,
    byDefault,
    form: `as in [${name}.json](#${name}json)`,
    isToldElsewhere: true,
  });

/** Keys of a network that a catalogue has too. */
export const portalKeys = {
  extended: like(
    portalSections.extended,
    'extended',
    'Descriptions of fields, by their paths in the network.',
    'each field as the first node in file order describes it',
  ),
  table: like(
    portalSections.table,
    'table',
    'The table of a portal.',
    'the declared fields, the first 10 shown; rows identified by `_key`',
  ),
  facets: like(
    portalSections.facets,
    'facets',
    'The facets of a portal.',
    'the declared fields that have facets, the first 10 shown',
  ),
  charts: like(
    portalSections.charts,
    'charts',
    'For portals that draw charts; passed on unchanged.',
    '`{"query": ""}`',
  ),
  matchbox: like(portalSections.matchbox, 'matchbox', "The entries of a portal's matchbox.", '`[]`'),
  downloads: like(
    portalSections.downloads,
    'downloads',
    'Limits of downloads.',
    '`ALLOW_CUSTOM_DOWNLOAD_MAX_ROWS`, `DOWNLOAD_MAX_ROWS`, `DOWNLOAD_STREAM_BUFFER_SIZE`',
  ),
};
