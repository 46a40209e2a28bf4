import type { EngineConfig } from '../../config/config.ts';
import { loadSettings } from '../../config/load.ts';
import type { Engine } from '../../engines/engine.ts';
import { openEngine } from '../../engines/open/open-engine.ts';
import type { CopyOptions } from './copy-options.ts';

/** One end of a copy. */
export interface CopyEnd {
  readonly settings: EngineConfig;
  readonly engine: Engine;
  /** Stable across runs, without credentials. */
  readonly place: string;
}

export interface CopyEnds {
  readonly from: CopyEnd;
  readonly to: CopyEnd;
  close(): Promise<void>;
}

/** Engine variables that each end can override; otherwise the plain variable applies. */
const ofEngine = ['ES_HOST', 'ES_USER', 'ES_PASS', 'ES_API_KEY', 'ES_CA'] as const;

/**
 * Opens both engines; if they are the same, only once.
 * @throws TributaryError CONFIG_INVALID naming a variable with a wrong value
 */
export const openCopyEnds = async (options: CopyOptions, env: NodeJS.ProcessEnv): Promise<CopyEnds> => {
  const from = settingsOf('FROM', options.from, options.fromDataPath, env);
  const to = settingsOf('TO', options.to, options.toDataPath, env);
  const source = await openEngine(from);
  const [one, other] = [placeOf(from), placeOf(to)];
  const target = one === other ? source : await openEngine(to);
  return {
    from: { settings: from, engine: source, place: one },
    to: { settings: to, engine: target, place: other },
    close: async () => {
      await source.close();
      if (target !== source) await target.close();
    },
  };
};

const settingsOf = (
  end: 'FROM' | 'TO',
  kind: CopyOptions['from'],
  dataPath: string | undefined,
  env: NodeJS.ProcessEnv,
): EngineConfig => {
  const own = ofEngine.map((name): [string, string | undefined] => [name, env[`${end}_${name}`]]);
  // credentials of one server must not be sent to another
  const apart = own.some(([, value]) => value !== undefined);
  const { engine } = loadSettings({
    ...env,
    ...(apart && Object.fromEntries(own)),
    SEARCH_ENGINE: kind,
    ...(dataPath !== undefined && { DATA_PATH: dataPath }),
  });
  return engine;
};

const placeOf = (settings: EngineConfig): string => {
  if (settings.kind === 'embedded') return settings.dataPath;
  return settings.url
    .split(',')
    .map((part) => {
      const url = new URL(part.trim());
      url.username = '';
      url.password = '';
      return url.href;
    })
    .join(',');
};
