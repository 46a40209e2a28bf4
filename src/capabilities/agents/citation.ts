import { deflateRawSync } from 'node:zlib';
import type { Entrance, Visit } from '../../server/http/doors/door.ts';
import type { JsonObject } from '../../lib/json/json.ts';
import type { CatalogueResult } from '../../search/query.ts';
import { coverageText, shown } from './sentences.ts';

/** The answer of a tool: sentences, and the same content as data. */
export interface ToolAnswer {
  readonly text: string;
  /** The end of the text, kept however much of the rest is cut. */
  readonly ending?: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** How an answer can be repeated and cited. */
export interface Cited {
  readonly sqon: JsonObject | null;
  /** A link to the query in the portal. */
  readonly link: string;
  readonly cite: string;
}

/** @param date today's date, ISO 8601 */
export const citedAs = (
  { origin }: Entrance,
  { catalogue, network }: Visit,
  {
    result,
    sqon,
    id,
  }: { readonly result: CatalogueResult; readonly sqon: JsonObject | null; readonly id: string },
  date = new Date().toISOString().slice(0, 10),
): Cited => {
  const { about, description, catalogueId } = catalogue.config;
  const title = shown(about?.title ?? network?.config.displayName ?? description ?? catalogueId);
  const release = result.withheld?.date;
  const coverage = coverageText(result);
  const cite = [
    `Source: ${title}, ${origin}, ${date}`,
    ...(release ? [`counts from the release of ${release}`] : []),
    ...(coverage === '' ? [] : [coverage]),
  ].join('; ');
  return { sqon, link: linkTo(origin, id, sqon), cite };
};

/** The URL of the portal's page with these conditions. */
const linkTo = (origin: string, id: string, sqon: JsonObject | null): string => {
  const view = {
    ...(id !== 'network' && { source: id }),
    ...(sqon !== null && { filters: sqon['content'] }),
  };
  return `${origin}/explore#v1=${deflateRawSync(JSON.stringify(view)).toString('base64url')}`;
};

/** The ending of all answers about records. */
export const endingOf = ({ cite, link }: Cited): string => `In the portal: ${link}\n${cite}`;
