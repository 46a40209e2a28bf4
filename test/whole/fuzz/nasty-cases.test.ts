import test from 'ava';
import { breaches } from './breaches.ts';
import { exchange, type Answer, type HttpRequest } from './http-exchange.ts';
import type { Outcome } from './nasty-case.ts';
import { nastyDocuments } from './nasty-documents.ts';
import { nastyFilters } from './nasty-filters.ts';
import { nastyRequests } from './nasty-requests.ts';
import { libraryOfFile } from './served-library.ts';

const library = libraryOfFile();

for (const [name, request, outcome] of [...nastyFilters, ...nastyDocuments, ...nastyRequests])
  test.serial(name, async (t) => {
    const answer = await exchange(library().url, request);
    t.deepEqual(breaches(answer, sentOf(request)), []);
    t.is(missed(outcome, answer), null);
  });

const sentOf = ({ path, body }: HttpRequest): string => `${path} ${String(body)}`;

/** null when the answer is what was to come of the case. */
const missed = (outcome: Outcome, { status, text }: Answer): string | null => {
  const shown = `${status} ${text.slice(0, 600)}`;
  switch (outcome) {
    case 'survives':
      return null;
    case 'refused':
      return status >= 400 || (/"errors":/.test(text) && noData(text)) ? null : `not refused: ${shown}`;
    case 'everything':
    case 'nothing': {
      const wanted = outcome === 'nothing' ? 0 : library().documents.length;
      return text.includes(`"data":{"book":{"hits":{"total":${wanted}}}}`)
        ? null
        : `not ${outcome}: ${shown}`;
    }
  }
};

/** Whether every leaf of `data` is null. */
const noData = (text: string): boolean => {
  const leaves = (value: unknown): unknown[] =>
    typeof value === 'object' && value !== null ? Object.values(value).flatMap(leaves) : [value];
  return leaves((JSON.parse(text) as { data?: unknown }).data ?? null).every((value) => value === null);
};
