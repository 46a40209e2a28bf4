/** A user of the portal in a thread: it runs what the pages run in a browser, which knows of no other user. */
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort } from 'node:worker_threads';
import { QueryClient } from '@tanstack/react-query';
import type { Overview, Page } from '../../portal/src/api/answer.ts';
import { chosenColumns, type Catalogue } from '../../portal/src/api/catalogue.ts';
import { readConfig, sourceOf, type PortalConfig } from '../../portal/src/api/config.ts';
import { download, planDownload } from '../../portal/src/api/download.ts';
import { catalogueQuery, extentsQuery, overviewQuery } from '../../portal/src/api/queries.ts';
import { fetchOverview, fetchPage, fetchTotal } from '../../portal/src/api/questions.ts';
import { fetchSuggestions } from '../../portal/src/api/suggestions.ts';
import { timelinePath } from '../../portal/src/explore/timeline-path.ts';
import { questionOf, shownPaths, sizesOf } from '../../portal/src/explore/view-question.ts';
import { chartSizes, everything, startPaths } from '../../portal/src/start/start-question.ts';
import { withFilters, withSearch } from '../../portal/src/state/edit.ts';
import type { View } from '../../portal/src/state/view.ts';
import { words } from './records.ts';
import { actions, type Action, type Seen, type Visit, type Visited } from './visit.ts';

const pageSize = 20;
const timelineBins = 70;
const msBetweenKeys = 250;
const suggestedFrom = 2;

/** What this user's requests are sent with, and what came back. */
let address = '';
let requests = 0;
let refusals: Record<string, number> = {};
const { fetch } = globalThis;
globalThis.fetch = async (input, init) => {
  const headers = new Headers(init?.headers);
  headers.set('x-forwarded-for', address);
  requests += 1;
  const response = await fetch(input, { ...init, headers });
  const refusal = await refusalIn(response);
  if (refusal !== null) refusals[refusal] = (refusals[refusal] ?? 0) + 1;
  return response;
};

const refusalIn = async (response: Response): Promise<string | null> => {
  if (response.status === 429 || response.status === 503)
    return `${response.status} ${(await response.clone().text()).slice(0, 76)}`;
  const isForCost =
    response.url.endsWith('/graphql') && (await response.clone().text()).includes('"maxCost"');
  return isForCost ? 'cost' : null;
};

const never = new AbortController().signal;

/** A page that is open, from its start to its end. */
class Session {
  readonly #visit: Visit;
  readonly #client = new QueryClient({
    defaultOptions: { queries: { staleTime: 60_000, retry: false, networkMode: 'always' } },
  });
  readonly #word: string;
  /** When the answer to the last letter began to be waited for. */
  lastKeyMs = 0;
  #config: PortalConfig | null = null;
  #catalogue: Catalogue | null = null;
  #view: View = {};
  #last: Page | null = null;

  constructor(visit: Visit, turn: number) {
    this.#visit = visit;
    this.#word = words[(visit.number * 37 + turn * 11) % 300]!;
  }

  /** @returns what the page lacks; null: nothing */
  act(action: Action): Promise<string | null> {
    switch (action) {
      case 'start':
        return this.#start();
      case 'explore':
        return this.#explore({});
      case 'facet':
        return this.#tick();
      case 'typing':
        return this.#type();
      case 'search':
        return this.#explore(withSearch(this.#view, this.#searched(), this.#word));
      case 'paging':
        return this.#turnPage();
      case 'download':
        return this.#download();
    }
  }

  async #start(): Promise<string | null> {
    const config = await readConfig(new URL(this.#visit.url));
    const catalogue = await this.#client.fetchQuery(catalogueQuery(sourceOf(config, undefined)!));
    this.#config = config;
    this.#catalogue = catalogue;
    const paths = startPaths(config, catalogue);
    const input = { catalogue, question: everything, paths, sizes: chartSizes({}) };
    return lackOf(await this.#client.fetchQuery(overviewQuery(this.#client, input)));
  }

  async #explore(view: View): Promise<string | null> {
    this.#view = view;
    const [config, catalogue] = [this.#config!, this.#catalogue!];
    const question = questionOf(view, catalogue);
    const paths = shownPaths(config, catalogue, view);
    const input = { catalogue, question, paths, sizes: sizesOf(view, {}) };
    const [overview, timeline, page] = await Promise.all([
      this.#client.fetchQuery(overviewQuery(this.#client, input)),
      this.#timeline(),
      this.#pageAfter(null),
    ]);
    this.#last = page;
    const isShort = page.rows.length < Math.min(pageSize, overview.total ?? 0);
    return lackOf(overview) ?? lackOf(timeline) ?? (isShort ? 'rows are missing' : null);
  }

  /** The histogram above the table. */
  async #timeline(): Promise<Overview> {
    const catalogue = this.#catalogue!;
    const path = timelinePath(this.#config!, catalogue, this.#view)!;
    const extents = await this.#client.fetchQuery(extentsQuery(catalogue, [path]));
    const fine = new Map([...extents].map(([key, extent]) => [key, { ...extent, bins: timelineBins }]));
    const how = { extents: fine, soon: ignored };
    return fetchOverview(catalogue, questionOf(this.#view, catalogue), [path], { asUsual: 0 }, how);
  }

  #pageAfter(after: unknown): Promise<Page> {
    const catalogue = this.#catalogue!;
    const columns = chosenColumns(catalogue, this.#view);
    const page = { columns, sort: catalogue.sort, after, size: pageSize };
    return fetchPage(catalogue, questionOf(this.#view, catalogue), page, { soon: ignored });
  }

  /** Ticks one of the values that a facet shows, another facet for each user. */
  #tick(): Promise<string | null> {
    const facets = ['department', 'country', 'technique', 'status'];
    const fieldName = facets[this.#visit.number % facets.length]!;
    const key = fieldName === 'status' ? 'on loan' : `${fieldName} ${this.#visit.number % 5}`;
    return this.#explore(withFilters(this.#view, [{ op: 'in', content: { fieldName, value: [key] } }]));
  }

  /** Letter by letter: a letter gives up what the letter before it asked for. */
  async #type(): Promise<string | null> {
    let lack: string | null = null;
    for (let length = suggestedFrom; length <= this.#word.length; length += 1) {
      const isLast = length === this.#word.length;
      this.lastKeyMs = performance.now();
      const leaving = new AbortController();
      const suggested = this.#suggest(this.#word.slice(0, length), leaving.signal).then((found) => {
        if (isLast) lack = found;
      });
      if (isLast) await suggested;
      else {
        suggested.catch(() => undefined);
        await sleep(msBetweenKeys);
        leaving.abort();
      }
    }
    return lack;
  }

  async #suggest(text: string, signal: AbortSignal): Promise<string | null> {
    const catalogue = this.#catalogue!;
    const question = questionOf(this.#view, catalogue);
    const inWords = questionOf(withSearch(this.#view, this.#searched(), text), catalogue);
    const [, total] = await Promise.all([
      fetchSuggestions(catalogue, question, text, [], signal),
      fetchTotal(catalogue, inWords, { signal }),
    ]);
    return lackOf(total);
  }

  /** As the search box does: names, values and texts. */
  #searched(): readonly string[] {
    return [...this.#catalogue!.fields.values()]
      .filter(({ kind, type }) => (kind === 'values' || kind === 'text') && type !== 'boolean')
      .map(({ path }) => path);
  }

  async #turnPage(): Promise<string | null> {
    const cursor = this.#last?.rows.at(-1)?.cursor;
    if (cursor === undefined) return null;
    this.#last = await this.#pageAfter(cursor);
    return this.#last.total === null ? 'no total' : null;
  }

  async #download(): Promise<string | null> {
    const catalogue = this.#catalogue!;
    const question = questionOf(this.#view, catalogue);
    const table = { columns: chosenColumns(catalogue, this.#view), sort: catalogue.sort };
    const isNetwork = catalogue.source.kind === 'network';
    const plan = isNetwork ? await planDownload(catalogue, question, table, never) : null;
    const stopped = plan?.nodes.find((node) => node.stopped !== null)?.stopped ?? null;
    await download(catalogue, question, { ...table, fileType: 'tsv', plan }, ignored, never);
    return stopped;
  }
}

const ignored = (): void => undefined;

/** What an answer lacks. */
const lackOf = ({ partial, nodes, facets }: Overview): string | null => {
  const failed = [...facets.values()].find(({ reason }) => reason !== undefined);
  const node = nodes.find(({ state }) => state !== 'ok');
  if (failed !== undefined) return `${failed.path}: ${failed.reason}`;
  return node === undefined ? (partial ? 'partial' : null) : `${node.nodeId}: ${node.state} ${node.errors}`;
};

/** Runs an action as long as the page takes to have everything. */
const seen = async (session: Session, action: Action): Promise<Seen> => {
  const startedMs = performance.now();
  const problem = await session.act(action).catch((error: unknown) => String(error));
  const fromMs = action === 'typing' ? session.lastKeyMs : startedMs;
  return { action, ms: performance.now() - fromMs, problem };
};

const visiting = async (visit: Visit): Promise<Visited> => {
  ({ address } = visit);
  [requests, refusals] = [0, {}];
  const all: Seen[] = [];
  // users do not arrive together
  await sleep(Math.random() * visit.pauseMs);
  const endMs = performance.now() + visit.seconds * 1_000;
  for (let turn = 0; performance.now() < endMs; turn += 1) {
    const session = new Session(visit, turn);
    for (const action of actions) {
      if (performance.now() >= endMs) break;
      const one = await seen(session, action);
      all.push(one);
      // nothing follows a page that does not open
      if (action === 'start' && one.problem !== null) break;
      await sleep(visit.pauseMs);
    }
  }
  return { seen: all, requests, refusals };
};

parentPort!.on('message', (visit: Visit) => {
  visiting(visit).then(
    (visited) => parentPort!.postMessage(visited),
    (error: unknown) => {
      throw error;
    },
  );
});
parentPort!.postMessage('ready');
