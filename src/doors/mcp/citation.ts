import { deflateRawSync } from 'node:zlib';
import type { Entrance, Visit } from '../../http/doors/door.ts';
import type { JsonObject } from '../../json/json.ts';
import type { CatalogueResult } from '../../search/query.ts';
import { coverageText, shown } from './sentences.ts';

/** What a tool answers: sentences, and the same as data. */
export interface ToolAnswer {
  readonly text: string;
  /** What the text ends with, however much of it is cut. */
  readonly ending?: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** How an answer can be repeated and cited. */
export interface Cited {
  readonly sqon: JsonObject | null;
  /** The question in the portal. */
  readonly link: string;
  readonly cite: string;
}

/** @param date of today, ISO 8601 */
export const citedAs = (
  { origin }: Entrance,
  { catalogue, network }: Visit,
  { result, sqon, id }: { readonly result: CatalogueResult; readonly sqon: JsonObject | null; readonly id: string },
  date = new Date().toISOString().slice(0, 10),
): Cited => {
  const { about, description, catalogueId } = catalogue.config;
  const title = shown(about?.title ?? network?.displayName() ?? description ?? catalogueId);
  const release = result.withheld?.date;
  const coverage = coverageText(result);
  const cite = [
    `Source: ${title}, ${origin}, ${date}`,
    ...(release ? [`counts from the release of ${release}`] : []),
    ...(coverage === '' ? [] : [coverage]),
  ].join('; ');
  return { sqon, link: linkTo(origin, id, sqon), cite };
}; // prettier-ignore

/** The address of the portal's page with these conditions. */
const linkTo = (origin: string, id: string, sqon: JsonObject | null): string => {
  const view = {
    ...(id !== 'network' && { source: id }),
    ...(sqon !== null && { filters: sqon['content'] }),
  };
  return `${origin}/explore#v1=${deflateRawSync(JSON.stringify(view)).toString('base64url')}`;
};

/** What all answers about records end with. */
export const endingOf = ({ cite, link }: Cited): string => `In the portal: ${link}\n${cite}`;
