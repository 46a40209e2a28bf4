import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';

/**
 * Installs what is missing, sets the stage, runs every file of checks/ against it and ends with the line
 * `N passed, N failed`. With names of tests as arguments, it runs those alone.
 */
const here = import.meta.dirname;

const install = (): void => {
  const wanted = readFileSync(join(here, 'package-lock.json'), 'utf8');
  const installed = join(here, 'node_modules/.package-lock.json');
  if (existsSync(installed) && sameVersions(wanted, readFileSync(installed, 'utf8'))) return;
  console.log('installing the clients');
  execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: here, stdio: 'inherit' });
};

/** npm leaves a lock of what it installed, which has all packages but the folder's own. */
const sameVersions = (wanted: string, present: string): boolean => {
  const versions = (text: string): string =>
    JSON.stringify(
      Object.entries((JSON.parse(text) as Lock).packages)
        .filter(([path, { optional, extraneous }]) => path !== '' && !optional && !extraneous)
        .map(([path, { version }]) => `${path}@${version}`),
    );
  return versions(wanted) === versions(present);
};

interface Lock {
  readonly packages: Readonly<
    Record<string, { readonly version?: string; readonly optional?: boolean; readonly extraneous?: boolean }>
  >;
}

const runChecks = async (): Promise<{ readonly passed: number; readonly failed: number }> => {
  const result = { passed: 0, failed: 0 };
  const files = globSync(join(here, 'checks/*.ts')).sort();
  const names = process.argv.slice(2).map((name) => new RegExp(`^${RegExp.escape(name)}$`));
  const checks = run({ files, concurrency: 2, ...(names.length > 0 && { testNamePatterns: names }) });
  checks.on('test:pass', () => (result.passed += 1));
  checks.on('test:fail', () => (result.failed += 1));
  checks.compose(spec).pipe(process.stdout);
  await new Promise((resolve) => checks.once('end', resolve));
  return result;
};

install();
const { openStage } = await import('./stage.ts');
const { stageVariable } = await import('./the-stage.ts');
try {
  const { close, ...stage } = await openStage();
  process.env[stageVariable] = JSON.stringify(stage);
  const { passed, failed } = await runChecks().finally(close);
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  console.log('0 passed, 1 failed');
  process.exitCode = 1;
}
