import { execFileSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Installs a package of Python beside those of npm, unless it is there: anew for another version.
 * @param requirement `name==version`
 * @returns the folder with its programs
 */
export const pythonPrograms = (requirement: string): string => {
  const folder = join(import.meta.dirname, '../node_modules/.cache', requirement.replace('==', '-'));
  const programs = join(folder, 'bin');
  const complete = join(programs, requirement.split('==')[0]!);
  if (existsSync(complete)) return programs;
  rmSync(folder, { recursive: true, force: true });
  execFileSync('python3', ['-m', 'venv', folder], { stdio: 'pipe' });
  try {
    const quietly = ['install', '--quiet', '--disable-pip-version-check'];
    execFileSync(join(programs, 'pip'), [...quietly, requirement], { stdio: 'pipe' });
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  return programs;
};
