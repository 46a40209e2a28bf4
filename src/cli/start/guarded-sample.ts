import { readFileSync } from 'node:fs';
import type { Config } from '../../server/config/config.ts';
import { disclosure, disclosureOf } from '../../server/config/disclosure.ts';
import { publishRelease } from '../../capabilities/disclosure/release/publish-release.ts';
import { openReleaseStore } from '../../capabilities/disclosure/release/release-store.ts';
import type { Engine } from '../../engines/engine.ts';
import { catalogueFields } from '../../introspection/mapping/mapping.ts';
import { packagePath } from '../../lib/runtime/server-version.ts';

const guardedId = 'singapore';

/** The sample's configuration with one institution that only discloses counts. */
export const guardedSample = (config: Config): Config => {
  const file = packagePath(`samples/guarded/${guardedId}/disclosure.json`);
  const settings = disclosureOf(disclosure.parse(JSON.parse(readFileSync(file, 'utf8'))));
  const catalogues = config.catalogues.map((catalogue) =>
    catalogue.catalogueId === guardedId ? { ...catalogue, disclosure: settings } : catalogue,
  );
  return { ...config, catalogues };
};

/** Publishes a first release for every guarded catalogue without one. */
export const ensureReleases = async (
  { catalogues, dataPath }: Config,
  engine: Engine,
  say: (line: string) => void,
): Promise<void> => {
  for (const catalogue of catalogues) {
    const { catalogueId, disclosure: settings, esIndex } = catalogue;
    const store = openReleaseStore(dataPath, catalogueId);
    if (settings === undefined || esIndex === null || store.currentId() !== null) continue;
    const { properties } = await engine.describe(esIndex);
    const { fields } = catalogueFields(properties, catalogue);
    const source = { engine, index: esIndex, catalogueId, fields, disclosure: settings };
    const outcome = await publishRelease(source, store, { nowMs: Date.now() });
    say(
      outcome.kind === 'published'
        ? `released the counts of the sample catalogue ${catalogueId}`
        : `the counts of ${catalogueId} are withheld: ${outcome.reasons.join('; ')}`,
    );
  }
};
