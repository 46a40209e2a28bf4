import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const checkout = fileURLToPath(new URL('../', import.meta.url));

/** The sample's nodes.json as a file in this folder, with deadlines that nodes on a busy machine meet. */
export const patientSample = (folder: string): string => {
  const text = readFileSync(join(checkout, 'nodes.json'), 'utf8');
  const sample = JSON.parse(text.replaceAll('"configs/', `"${checkout}configs/`)) as object;
  const file = join(folder, 'nodes.json');
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, JSON.stringify({ ...sample, defaults: { timeoutMs: 300_000 } }));
  return file;
};
