import { engineOfCatalogue } from '../config/catalogue/catalogue-engine.ts';
import type { Config, EngineConfig } from '../config/config.ts';
import type { Engine } from '../../engines/engine.ts';
import { openEngine } from '../../engines/open/open-engine.ts';
import { openSets, type OpenSets, type SetSettings } from '../../local/sets/open-sets.ts';

export interface CatalogueEngines {
  /** The server's own engine. */
  readonly engine: Engine;
  readonly engineOf: (catalogue: Config['catalogues'][number]) => Promise<Engine>;
  /** Closes all of them. */
  readonly close: () => Promise<void>;
}

/** The server's engine, and those of catalogues with their own search servers, each opened once. */
export const openEngines = async (
  ofServer: EngineConfig,
  secret: (variable: string) => string | undefined,
  wrap: (engine: Engine) => Engine = (bare) => bare,
): Promise<CatalogueEngines> => {
  const engine = wrap(await openEngine(ofServer));
  const others = new Map<string, Promise<Engine>>();
  return {
    engine,
    engineOf: async (catalogue) => {
      if (catalogue.engine === undefined) return engine;
      const settings = engineOfCatalogue(catalogue, ofServer, secret);
      const key = JSON.stringify(catalogue.engine);
      const opened = others.get(key) ?? openEngine(settings).then(wrap);
      others.set(key, opened);
      // the cause, such as the certificate file, may be fixed later
      opened.catch(() => others.delete(key));
      return opened;
    },
    close: async () => {
      await Promise.allSettled([...others.values()].map(async (one) => (await one).close()));
      await engine.close();
    },
  };
};

/** The saved sets of a catalogue, if it has any: one store for each index that contains them, opened on first use. */
export const setStores = (settings: SetSettings) => {
  const byEngine = new Map<Engine, Map<string, OpenSets>>();
  return ({ switches, setsIndex }: Config['catalogues'][number], engine: Engine): OpenSets | undefined => {
    if (!switches.enableSets) return undefined;
    const stores = byEngine.get(engine) ?? new Map<string, OpenSets>();
    const store = stores.get(setsIndex) ?? openSets(engine, setsIndex, settings);
    byEngine.set(engine, stores.set(setsIndex, store));
    return store;
  };
};
