import { createServer } from 'node:http';
import type { ExecutionContext } from 'ava';
import { pino } from 'pino';
import type { SearchQuery } from '../../../src/engines/engine.ts';
import { createApp, type AppParts } from '../../../src/server/http/app.ts';
import type { HttpSettings } from '../../../src/server/http/koa/settings.ts';
import type { CatalogueConfig } from '../../../src/introspection/fields/catalogue-config.ts';
import type { JsonObject } from '../../../src/lib/json/json.ts';
import { openSpoolStorage } from '../../../src/local/download/spool.ts';
import { openRegistry } from '../../../src/local/registry.ts';
import { bookConfig, bookProperties, books } from '../../local/catalogue-fixture.ts';
import { scriptedEngine, type ScriptedEngine } from '../../local/scripted-engine.ts';
import { defaultSettings } from './running-app.ts';
import { listening } from '../../listening.ts';

export interface DownloadNodeOptions extends Partial<Pick<AppParts, 'accessFilter'>> {
  readonly catalogues?: readonly CatalogueConfig[];
  readonly settings?: Partial<HttpSettings>;
  readonly documents?: readonly JsonObject[];
  /** Called before every search. */
  readonly onSearch?: (query: SearchQuery) => void;
  readonly spoolFolder?: string;
  readonly spoolMaxBytes?: number;
}

export interface DownloadNode {
  readonly url: string;
  readonly engine: ScriptedEngine;
  readonly log: () => string;
  /** Submits params as a page's form does. */
  readonly submit: (params: unknown, path?: string) => Promise<Response>;
}

/** A node whose engine returns the documents in order, page by page, until the test is over. */
export const runDownloadNode = async (
  t: ExecutionContext,
  options: DownloadNodeOptions = {},
): Promise<DownloadNode> => {
  const { catalogues = [bookConfig()], settings, documents = Object.values(books), onSearch } = options;
  const { spoolFolder = 'none', spoolMaxBytes = 1024 * 1024 } = options;
  const engine = scriptedEngine({
    describe: () => ({ properties: bookProperties }),
    search: (query) => {
      onSearch?.(query);
      const { size, searchAfter } = query.hits!;
      const from = Number(searchAfter?.[0] ?? 0);
      const hits = documents
        .slice(from, from + size)
        .map((source, position) => ({ id: `b${from + position}`, source, cursor: [from + position + 1] }));
      return { hits: { total: documents.length, hits } };
    },
  });
  const registry = await openRegistry(catalogues, engine, {});
  let logged = '';
  const log = pino({ level: 'info' }, { write: (line: string) => void (logged += line) });
  const { accessFilter } = options;
  const app = createApp({
    registry,
    networks: new Map(),
    settings: { ...defaultSettings, ...settings },
    spools: openSpoolStorage(spoolFolder, spoolMaxBytes),
    log,
    ...(accessFilter === undefined ? {} : { accessFilter }),
  });
  t.teardown(registry.close);
  const { url } = await listening(t, createServer(app.callback()));
  const submit = (params: unknown, path = '/download') =>
    fetch(url + path, {
      method: 'POST',
      body: new URLSearchParams({ params: JSON.stringify(params), httpHeaders: '{}', downloadKey: '1' }),
    });
  return { url, engine, log: () => logged, submit };
};
