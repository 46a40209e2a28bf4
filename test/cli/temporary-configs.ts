import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A new folder with these files in it, by their paths; other objects than bytes are written as JSON. */
export const temporaryFolder = (files: Readonly<Record<string, unknown>> = {}): string => {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-'));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(
      join(folder, path),
      typeof content === 'string' || Buffer.isBuffer(content) ? content : JSON.stringify(content),
    );
  }
  return folder;
};
