import { html } from '@remix-run/html-template';
import { parse, print } from 'graphql';
import type { FieldReport } from '../../federation/nodes/field-report.ts';
import type { Field, Fields } from '../../introspection/fields/field.ts';
import { kindOf } from '../../introspection/fields/field.ts';
import { aggregationName, graphqlSegment } from '../../introspection/fields/names.ts';
import type { HttpContext } from '../koa/http-context.ts';
import { pageFiles, type PageFile } from './page-files.ts';

/** A browser that opens the endpoint's address, rather than a program that queries it. */
export const wantsPage = (context: HttpContext): boolean =>
  context.method === 'GET' &&
  !context.URL.searchParams.has('query') &&
  /\btext\/html\b/i.test(context.get('accept'));

/**
 * The page is self-contained; the policy keeps it so, whatever its bundle mentions. Of GraphiQL it refuses only the
 * style that keeps a page from scrolling behind a dialog, and this page does not scroll.
 */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src data:; " +
  "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

/**
 * GraphiQL on the address it is asked for.
 * @param firstQuery what a visitor finds in the editor, ready to run
 */
export const showPage = async (context: HttpContext, firstQuery: string): Promise<void> => {
  const page = pageOf(await pageFiles(), firstQuery);
  context.set('content-security-policy', policy);
  context.set('x-content-type-options', 'nosniff');
  context.type = 'text/html; charset=utf-8';
  context.body = page;
};

const pageOf = (files: readonly PageFile[], firstQuery: string): string => {
  const styles = files.filter(({ type }) => type === 'text/css');
  const scripts = files.filter(({ type }) => type === 'text/javascript');
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Tributary GraphiQL</title>
<link rel="icon" href="data:,">
${styles.map(({ address }) => html`<link rel="stylesheet" href="${address}">`)}
</head>
<body>
<div id="graphiql" data-first-query="${firstQuery}"></div>
<noscript>This page needs scripts. Programs send their queries to the same address.</noscript>
${scripts.map(({ address }) => html`<script src="${address}"></script>
`)}</body>
</html>
`.toString();
}; // prettier-ignore

/**
 * The first page of a catalogue, and a filter to change.
 * @param fields null for a caller who may not know them
 */
export const catalogueQuery = (documentType: string, fields: Fields | null): string => {
  const field = fields && exampleField(fields);
  if (!field) return `${aboutFilters('...')}\n${pretty(`{ ${documentType} { ${firstHits()} } }`)}`;
  const { path } = field;
  const facet = `aggregations { ${aggregationName(path)} { buckets(max: 5) { key doc_count } } }`;
  return `${aboutFilters(path)}\n${pretty(`{ ${documentType} { ${firstHits(path)} ${facet} } }`)}`;
};

const firstHits = (path?: string): string =>
  path === undefined
    ? 'hits(first: 5) { total edges { node { id } } }'
    : `hits(first: 5, filters: ${hasValue(path)}) { total edges { node { id ${graphqlSegment(path)} } } }`;

/** Who answers in the network, and with how much, and a filter to change. @param fields as of catalogueQuery */
export const networkQuery = (fields: readonly FieldReport[] | null): string => {
  const path = fields?.find(({ path, type }) => isExample(path, type))?.path;
  const filters = path === undefined ? '' : `(filters: ${hasValue(path)})`;
  const query = `{ network${filters} { total partial nodes { nodeId name status hits errors } } }`;
  return `${aboutFilters(path ?? '...')}\n${pretty(query)}`;
};

const pretty = (query: string): string => print(parse(query));

/** A filter that finds something whatever the values are. */
const hasValue = (path: string): string =>
  `{op: "not-in", content: {fieldName: ${JSON.stringify(path)}, value: ["__missing__"]}}`;

const aboutFilters = (path: string): string =>
  [
    '# Filters are SQON. To try in the argument `filters`:',
    `#   ${hasValue(path)}`,
    `#   {op: "in", content: {fieldName: ${JSON.stringify(path)}, value: ["one value", "another", "*part*"]}}`,
    '#   {op: "and", content: [...]}, or, not; gt, gte, lt, lte, between for numbers and dates',
    '# GET /introspection/sqon describes all of it; the documentation beside this names the filters of each field.',
  ].join('\n');

const exampleField = (fields: Fields): Field | undefined =>
  [...fields.values()].find(({ path, type }) => isExample(path, type));

/** A field of the document itself that people choose values of. */
const isExample = (path: string, type: string): boolean =>
  kindOf(type) === 'keyword' && !path.includes('.') && !/id$/i.test(path);
