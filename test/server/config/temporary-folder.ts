import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { ExecutionContext } from 'ava';

/** A folder with these files (text as it is, anything else as JSON), removed after the test. */
export const temporaryFolder = (
  t: Pick<ExecutionContext, 'teardown'>,
  files: Readonly<Record<string, unknown>>,
): string => {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  }
  return folder;
};
