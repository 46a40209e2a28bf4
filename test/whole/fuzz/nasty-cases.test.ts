import test from 'ava';
import { breaches } from './breaches.ts';
import { exchange, type Answer, type HttpRequest } from './http-exchange.ts';
import type { Outcome } from './nasty-case.ts';
import { nastyDocuments } from './nasty-documents.ts';
import { nastyFilters } from './nasty-filters.ts';
import { nastyRequests } from './nasty-requests.ts';
import { serveLibrary, type ServedLibrary } from './served-library.ts';

let library: ServedLibrary;
test.before(async () => {
  // what a case answers does not depend on what those before it have cost
  library = await serveLibrary({});
});

for (const [name, request, outcome] of [...nastyFilters, ...nastyDocuments, ...nastyRequests])
  test.serial(name, async (t) => {
    const answer = await exchange(library.url, request);
    t.deepEqual(breaches(answer, sentOf(request)), []);
    t.is(missed(outcome, answer), null);
  });

test.after.always('the server is still well', async (t) => {
  t.is((await exchange(library.url, { path: '/ping' })).status, 200);
  const { code, output } = await library.stop();
  t.is(code, 0);
  t.notRegex(output, /internal error|"level":[56]0/);
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
      const wanted = outcome === 'nothing' ? 0 : library.documents.length;
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
