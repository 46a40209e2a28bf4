import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * The name and version of this program, as its GraphQL schemas state them: clients that may read the schema may
 * know them.
 */
export const serverVersion = (): string => `${programName} ${packageVersion()}`;

/** The name of this program. */
export const programName = 'Tributary';

/** A path inside this package, wherever it is installed; `src/lib` and `dist/lib` are equally deep. */
export const packagePath = (path: string): string =>
  fileURLToPath(new URL(`../../../${path}`, import.meta.url));

/** The version in package.json. */
export const packageVersion = (): string => (known ??= versionIn(packagePath('package.json')));

let known: string | undefined;

const versionIn = (file: string): string =>
  (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;

/**
 * The commit that this program was built from: read from the file that the build writes, or from git in a checkout.
 * @returns null when neither is available
 */
export const serverCommit = (): string | null =>
  (knownCommit ??= { commit: builtCommit() ?? checkedOut() }).commit;

let knownCommit: { readonly commit: string | null } | undefined;

const builtCommit = (): string | null => {
  const file = new URL('../../commit', import.meta.url);
  return existsSync(file) ? readFileSync(file, 'utf8').trim() || null : null;
};

const checkedOut = (): string | null => {
  const root = packagePath('');
  if (!existsSync(packagePath('.git'))) return null;
  try {
    const output = execFileSync('git', ['rev-parse', 'HEAD'], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return output.toString().trim();
  } catch {
    // git is not installed, or refuses a repository of another user
    return null;
  }
};
