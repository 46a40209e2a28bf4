import type { CatalogueConfig } from '../../../introspection/fields/catalogue-config.ts';
import { TributaryError } from '../../../lib/errors/errors.ts';
import type { EngineConfig } from '../config.ts';

/**
 * The engine with the index of a catalogue: its own, or the server's. Credentials are read on each use, so that they can
 * be rotated while the server runs.
 * @param secret the value of a variable, or the content of the file that it names; see `secretIn`
 * @throws TributaryError unknown_error when a variable that the catalogue names is not set
 */
export const engineOfCatalogue = (
  { engine }: Pick<CatalogueConfig, 'engine'>,
  ofServer: EngineConfig,
  secret: (variable: string) => string | undefined,
): EngineConfig => {
  if (engine === undefined) return ofServer;
  const { url, userVariable, passwordVariable, apiKeyVariable, caFile } = engine;
  const read = (variable: string | undefined): string | undefined =>
    variable === undefined ? undefined : secret(variable);
  for (const name of [userVariable, passwordVariable, apiKeyVariable])
    if (name !== undefined && read(name) === undefined)
      throw new TributaryError('unknown_error', `esCredentials names the variable ${name}, which is not set`);
  return {
    kind: 'detect',
    url,
    caFile,
    get user() {
      return read(userVariable);
    },
    get password() {
      return read(passwordVariable);
    },
    get apiKey() {
      return read(apiKeyVariable);
    },
  };
};
