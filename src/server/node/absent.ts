import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { isJsonObject } from '../../lib/json/json.ts';
import { faultAt, problemsError } from '../../lib/text/problem.ts';
import { isAudited } from './open-audit.ts';
import type { Capability } from '../http/capability.ts';

/**
 * A setting is never ignored because what reads it is absent.
 * @throws TributaryError CONFIG_INVALID naming every file and variable of a capability that is not there, or without the
 *   hook that it acts by
 */
export const rejectAbsent = (config: Config, capabilities: readonly Capability[]): void => {
  const problems = Object.entries(settingsOf).flatMap(([name, placesIn]) =>
    capabilities.some((one) => one.name === name && one[hookOf[name] ?? 'door'] !== undefined)
      ? []
      : placesIn(config).map((place) =>
          faultAt(null, place, `needs the capability ${name}, which this server does not have`),
        ),
  );
  if (problems.length > 0) throw problemsError(problems);
};

/** What those that are no door act by. */
const hookOf: Readonly<Record<string, keyof Capability>> = {
  ...{ joining: 'open', access: 'rules', audit: 'trail', disclosure: 'guard', portal: 'open' },
};

/** The places where a configuration, or the data folder, has settings of each capability. */
const settingsOf: Readonly<Record<string, (config: Config) => readonly string[]>> = {
  portal: ({ http: { portal } }) => [portal?.lookFile ?? []].flat(),
  beacon: (config) => doorOf('beacon', config),
  agents: (config) => doorOf('mcp', config),
  fair: (config) => doorOf('fdp', config),
  joining: ({ nodes, hubs }) => [
    ...listOf(nodes?.content, 'nodes').flatMap((node, at) =>
      isJsonObject(node) && 'dialsIn' in node ? [`${nodes?.file}: nodes[${at}].dialsIn`] : [],
    ),
    ...(hubs !== null && listOf(hubs.content, 'hubs').length > 0 ? [`${hubs.file}: hubs`] : []),
  ],
  access: ({ access }) => [access?.file ?? []].flat(),
  audit: (config) => (isAudited(config, false) ? ['the audit trail (AUDIT=off goes without)'] : []),
  disclosure: ({ catalogues, dataPath }) => [
    ...catalogues.flatMap(({ catalogueId, disclosure, showsRecords, places }) =>
      disclosure === undefined && showsRecords !== true
        ? []
        : [`catalogue ${catalogueId}: ${places?.disclosure ?? 'disclosure'}`],
    ),
    // what was withheld once must not be shown because nobody remembers it
    ...['@released.json', 'releases'].flatMap((name) =>
      existsSync(join(dataPath, name)) ? [`${name} in DATA_PATH`] : [],
    ),
  ],
};

/** @returns a nonempty list for an invalid value: its error is reported when the value is read */
const listOf = (content: unknown, key: string): readonly unknown[] => {
  const { [key]: list } = isJsonObject(content) ? content : {};
  return list === undefined ? [] : [list].flat();
};

/** The variable of a door whose path is not the usual one. */
const doorOf = (name: string, { http: { doors } }: Config): readonly string[] => {
  const { [name]: segment = null } = doors;
  return segment === null || segment === name ? [] : [name.toUpperCase()];
};
