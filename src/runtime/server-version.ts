import { readFileSync } from 'node:fs';

/**
 * The name and version of this program, as its GraphQL schemas describe themselves: whoever may read the schema may
 * know it. `src` and `dist` are equally deep in the package.
 */
export const serverVersion = (): string => (known ??= `Tributary ${versionOf()}`);

let known: string | undefined;

const versionOf = (): string => {
  const file = new URL('../../package.json', import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
};
