import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { generate } from 'selfsigned';

/** A certificate for 127.0.0.1 that nobody signed but itself, also as a file that is there during the test. */
export const ownCertificate = async (
  t: ExecutionContext,
): Promise<{ key: string; cert: string; file: string }> => {
  const { private: key, cert } = await generate([{ name: 'commonName', value: '127.0.0.1' }], {
    extensions: [
      { name: 'basicConstraints', cA: true },
      { name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] },
    ],
  });
  const folder = await mkdtemp(join(tmpdir(), 'tributary-certificate-'));
  t.teardown(() => rm(folder, { recursive: true }));
  const file = join(folder, 'cert.pem');
  await writeFile(file, cert);
  return { key, cert, file };
};
