import { createServer } from 'node:http';
import type { ExecutionContext } from 'ava';
import { pino } from 'pino';
import type { Config } from '../../../src/server/config/config.ts';
import { doorsOf } from '../../../src/server/http/capability.ts';
import { standard } from '../../../src/standard.ts';
import type { Engine } from '../../../src/engines/engine.ts';
import { createApp, type AppParts } from '../../../src/server/http/app.ts';
import { openTakeOver } from '../../../src/server/http/koa/take-over.ts';
import { noSwitches } from '../../../src/introspection/fields/catalogue-config.ts';
import {
  discard,
  joinNetworks,
  openBeside,
  openCatalogues,
  readServed,
  type LastingParts,
  type Server,
} from '../../../src/server/node/open-server.ts';
import { swap, type Swapped } from '../../../src/server/node/swap.ts';
import { openAccess, openKeyRing } from '../../../src/capabilities/access/open-access.ts';
import { anonymousCaller, requireDisclosureRules } from '../../../src/server/node/anonymous-caller.ts';
import type { CatalogueGuard } from '../../../src/search/catalogue.ts';
import { temporaryFolder } from '../config/temporary-folder.ts';
import { defaultSettings, noSpools } from '../http/running-app.ts';
import { listening } from '../../listening.ts';

/** A configuration without anything but what is given. */
const configWith = (changes: Partial<Config>): Config =>
  ({
    ...{ catalogues: [], nodes: null, hubs: null, access: null },
    ...{ server: { host: '127.0.0.1' }, indexing: { repositories: [] }, configsPath: 'configs' },
    ...{ maxResultsWindow: 10_000, strictFilters: false },
    networkDownloads: { allowCustomMaxRows: false, rowCap: null },
    http: { portal: null, network: { switches: noSwitches } },
    ...changes,
  }) as unknown as Config;

const quiet = { fetchFailed: () => undefined };

/** A server of this configuration whose files are what `reload` is given, served at `url`. */
export const openSwapping = async (
  t: ExecutionContext,
  engine: Engine,
  first: Partial<Config>,
  {
    guard,
    app = {},
    audit = () => undefined,
  }: {
    readonly guard?: CatalogueGuard;
    readonly app?: Partial<AppParts>;
    readonly audit?: (config: Config) => void;
  } = {},
) => {
  const log = pino({ level: 'silent' });
  const ring = openKeyRing(temporaryFolder(t, {}), quiet);
  const parts: LastingParts = {
    ...{ engine, log, key: 'k'.repeat(43), engineOf: async () => engine },
    catalogues: { setsOf: () => undefined, ...(guard && { guard }) },
    openAccess: ({ access, catalogues }) => access && openAccess({ access, catalogues }, ring, quiet),
    observerOf: () => null,
    members: undefined,
    problem: () => null,
  };
  const secret = (): undefined => undefined;
  const opening = { before: null, secret };
  const opened = await openCatalogues(await readServed(configWith(first)), parts, opening);
  const servers = [joinNetworks(opened, parts, opening)];
  const now = (): Server => servers.at(-1)!;
  const takeOver = openTakeOver();
  const serve = ({ registry, networks, access }: Server): void =>
    takeOver.serve((late) =>
      createApp({
        ...{
          registry,
          networks,
          log,
          late,
          spools: noSpools,
          doors: doorsOf(standard),
          settings: defaultSettings,
        },
        ...access,
        ...app,
      }).callback(),
    );
  serve(now());
  t.teardown(() => {
    now().registry.close();
    for (const network of now().networks.values()) void network.close();
  });
  const reload = (changed: Partial<Config>): Promise<Swapped> => {
    const config = configWith(changed);
    const { access, catalogues } = config;
    const before = now();
    return swap(
      { read: () => config, restrictions: () => ({ access, catalogues, problems: [] }) },
      new Set(),
      {
        ...{ before, secret, audit },
        checkRules: (wanted) => {
          anonymousCaller(wanted, standard);
          requireDisclosureRules(wanted, standard);
        },
        withholding: servers.flatMap(({ reading }) => reading.catalogues.filter((one) => one.disclosure)),
        open: (reading, beside) => openBeside(reading, parts, beside),
        discard: (server) => discard(server, before),
        use: (next) => {
          servers.push(next);
          next.registry.use();
          before.registry.close();
          serve(next);
          return { changes: [], problems: [] };
        },
      },
    );
  };
  const { url } = await listening(t, createServer(takeOver.answer));
  return { url, now, reload, parts };
};
