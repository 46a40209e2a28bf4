import test from 'ava';
import fc from '../../fast-check.ts';
import type { Sqon } from '../../../src/sqon/ast.ts';
import { matchesMissing } from '../../../src/sqon/leaf-filter.ts';
import { printSqon } from '../../../src/sqon/parse.ts';
import { chainOf, holds } from '../../sqon/evaluate-sqon.ts';
import { filters, library as fields } from '../../sqon/fixture.ts';
import { breaches } from './breaches.ts';
import { caseCount } from './case-count.ts';
import { damaged, junk } from './damaged-json.ts';
import { counted, countedInline, literalOf, posted } from './graphql-over-http.ts';
import type { HttpRequest } from './http-exchange.ts';
import { exchange } from './http-exchange.ts';
import type { Reading } from './read-as-written.ts';
import { readAsWritten } from './read-as-written.ts';
import { libraryOfFile } from './served-library.ts';

const library = libraryOfFile();

/** As a literal can express it: without keys that are not names, and whole numbers past 2^53 are their digits. */
const named = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(named);
  if (Number.isInteger(value) && /^-?\d+$/.test(String(value)) && !Number.isSafeInteger(value))
    return String(value);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => /^[_A-Za-z]\w*$/.test(key));
  return Object.fromEntries(entries.map(([key, item]) => [key, named(item)]));
};

const whole = filters.map((filter): unknown => printSqon(filter));

/** How a filter reaches the server, and where the number of what it matches stands in the answer. */
interface Way {
  readonly name: string;
  readonly requestOf: (filter: unknown) => HttpRequest;
  readonly total: (data: never) => unknown;
  /** Filters for which this way has special rules. */
  readonly differs?: (filter: Sqon) => boolean;
}

/**
 * A network makes a pivot false at nodes where a condition under it stands elsewhere, and folds constants first. Whether
 * a value of a field that a node lacks is missing is unknown there.
 */
const strays = (filter: Sqon, above: readonly string[] = []): boolean => {
  if (filter.kind === 'group') {
    const pivots = filter.pivot === null ? above : [...above, filter.pivot];
    if (filter.content.length === 0) return above.length > 0;
    return filter.content.some((node) => strays(node, pivots));
  }
  if (filter.kind === 'constant') return false;
  const names = filter.kind === 'leaf' ? [filter.fieldName] : filter.fieldNames;
  if (names.length === 0) return above.length > 0;
  if (filter.kind === 'leaf' && matchesMissing(filter) && !fields.has(filter.fieldName)) return true;
  return names.some((name) => {
    const nestedIn = fields.get(name)?.nestedIn ?? [];
    return above.some((pivot) => !nestedIn.includes(pivot));
  });
};

const ways: readonly Way[] = [
  {
    name: 'a variable',
    requestOf: counted,
    total: (data: { book?: { hits?: { total: unknown } } }) => data.book?.hits?.total,
  },
  {
    name: 'written out',
    requestOf: (filter) => countedInline(literalOf(named(filter))),
    total: (data: { book?: { hits?: { total: unknown } } }) => data.book?.hits?.total,
  },
  {
    name: 'the network',
    requestOf: (filters) =>
      posted(
        'query($filters: JSON) { network(filters: $filters) { total } }',
        { filters },
        '/network/graphql',
      ),
    total: (data: { network?: { total: unknown } }) => data.network?.total,
    differs: strays,
  },
];

/** What is wrong with the answer, in view of what the filter means; null when nothing is. */
const fault = async (way: Way, filter: unknown): Promise<string | null> => {
  const request = way.requestOf(filter);
  const answer = await exchange(library().url, request);
  const [breach] = breaches(answer, String(request.body));
  if (breach !== undefined) return breach;
  const { data, errors } = JSON.parse(answer.text) as { data?: never; errors?: unknown };
  const total = data == null ? undefined : (way.total(data) ?? undefined);
  // A network whose nodes all fail has no total, and reports it for each node.
  const failedNodes = way.name === 'the network' && data != null && total === undefined;
  if ((total === undefined) === (errors === undefined) && !failedNodes)
    return `neither data nor errors: ${answer.text}`;
  const reading = readAsWritten(way.name === 'written out' ? named(filter) : filter, fields);
  const hasOwnRules = typeof reading === 'object' && reading !== null && way.differs?.(reading) === true;
  return hasOwnRules ? null : disagreement(reading, total, answer.text);
};

const disagreement = (reading: Reading, total: unknown, text: string): string | null => {
  if (reading === 'refused') return total === undefined ? null : `malformed, but counts ${String(total)}`;
  if (reading === 'unsaid') return null;
  if (total === undefined) return `well formed, but refused: ${text}`;
  const wanted = library().documents.filter(
    (document) => reading === null || holds(reading, chainOf(document), fields),
  ).length;
  return total === wanted ? null : `counts ${String(total)}, not ${wanted}`;
};

const shares = { whole: 0.04, damaged: 0.085, junk: 0.015 };

for (const way of ways) {
  const property = (values: fc.Arbitrary<unknown>) =>
    fc.asyncProperty(values, async (filter) => {
      const found = await fault(way, filter);
      if (found !== null) throw new Error(found);
    });
  test.serial(`a filter counts what it matches: ${way.name}`, async (t) => {
    await t.notThrowsAsync(fc.assert(property(whole), caseCount(shares.whole)));
  });
  test.serial(`a damaged filter is refused or counts what it matches: ${way.name}`, async (t) => {
    await t.notThrowsAsync(fc.assert(property(damaged(whole)), caseCount(shares.damaged)));
  });
  test.serial(`junk is refused or counts what it matches: ${way.name}`, async (t) => {
    await t.notThrowsAsync(fc.assert(property(junk), caseCount(shares.junk)));
  });
}
