import { createServer } from 'node:http';
import type { ExecutionContext } from 'ava';
import { pino } from 'pino';
import { catalogueGuard } from '../../src/disclosure/guard/guard-catalogue.ts';
import { openReleaseStore } from '../../src/disclosure/release/release-store.ts';
import { openDoors } from '../../src/doors/doors.ts';
import type { Engine } from '../../src/engines/engine.ts';
import { openNetwork } from '../../src/federation/network.ts';
import { readNodes } from '../../src/federation/config/read-nodes.ts';
import type { AppParts } from '../../src/http/app.ts';
import { createApp } from '../../src/http/app.ts';
import type { DisclosureConfig } from '../../src/introspection/fields/catalogue-config.ts';
import type { JsonObject } from '../../src/json/json.ts';
import { openRegistry } from '../../src/local/registry.ts';
import type { OpenSets } from '../../src/local/sets/open-sets.ts';
import { temporaryFolder } from '../config/temporary-folder.ts';
import { defaultSettings, noSpools } from '../http/running-app.ts';
import { listening } from '../listening.ts';
import { bookConfig } from '../local/catalogue-fixture.ts';
import { cohortDisclosure, cohortProperties, drafted, releaseKey } from './cohort.ts';

/** The folder of a server whose cohort has a release of these documents. */
export const folderWithRelease = async (
  t: ExecutionContext,
  documents: readonly JsonObject[],
  disclosure: Partial<DisclosureConfig> = {},
): Promise<string> => {
  const folder = temporaryFolder(t, {});
  const { release, table } = await drafted(documents, disclosure);
  openReleaseStore(folder, 'cohort', releaseKey).publish(release, table, ['donors']);
  return folder;
};

/** An engine that knows the mapping, and throws on every other call. */
export const throwingEngine = (documents = 0): Engine & { readonly calls: () => number } => {
  let calls = 0;
  const refuse = (): never => {
    calls += 1;
    throw new Error('a guarded question reached the engine');
  };
  return {
    calls: () => calls,
    describe: async (index) => ({ indices: [index], aliases: [], properties: cohortProperties, documents }),
    search: async () => refuse(),
    write: async () => refuse(),
    manage: async () => refuse(),
    close: async () => undefined,
  };
};

const cohortConfig = (disclosure: Partial<DisclosureConfig> | null = {}) =>
  bookConfig({
    catalogueId: 'cohort',
    documentType: 'donor',
    esIndex: 'donors',
    ...(disclosure && { disclosure: { ...cohortDisclosure, ...disclosure } }),
  });

export interface ServedRelease {
  readonly url: string;
  readonly parts: AppParts;
  /** The catalogues as networks see them. */
  readonly releasedById: AppParts['registry']['byId'];
}

/** The cohort, alone and as a network of its own, over an engine and the release of a folder. */
export const serveRelease = async (
  t: ExecutionContext,
  folder: string,
  engine: Engine,
  options: Partial<Omit<AppParts, 'registry' | 'network'>> & {
    /** null: none. */
    readonly disclosure?: Partial<DisclosureConfig> | null;
    /** Saved sets, which callers with records have. */
    readonly sets?: OpenSets;
  } = {},
): Promise<ServedRelease> => {
  const { disclosure, sets, ...access } = options;
  const guard = catalogueGuard({
    storeOf: (catalogueId) => openReleaseStore(folder, catalogueId, releaseKey),
    nameKey: Buffer.alloc(32),
  });
  const registry = await openRegistry([cohortConfig(disclosure)], engine, {
    guard,
    ...(sets && { sets }),
  });
  t.teardown(registry.close);
  const nodes = readNodes({ nodes: [{ nodeId: 'home', catalogue: 'cohort' }] }, 'nodes.json');
  const released = (id: string) => {
    const state = registry.byId(id);
    return state?.status === 'available' && state.catalogue.guarded
      ? { ...state, catalogue: state.catalogue.guarded }
      : state;
  };
  const network = openNetwork(nodes, released);
  t.teardown(network.close);
  await network.ready;
  const parts: AppParts = {
    registry,
    network,
    settings: defaultSettings,
    doors: openDoors(),
    spools: noSpools,
    log: pino({ level: 'silent' }),
    ...access,
  };
  const { url } = await listening(t, createServer(createApp(parts).callback()));
  return { url, parts, releasedById: released };
};
