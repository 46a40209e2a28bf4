import { execFile } from 'node:child_process';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** A certificate for 127.0.0.1 that nobody signed but itself, made anew by openssl. */
export const ownCertificate = async (): Promise<{ key: string; cert: string; file: string }> => {
  const folder = await mkdtemp(join(tmpdir(), 'tributary-certificate-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  await promisify(execFile)('openssl', [
    ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=127.0.0.1'],
    ...['-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', key, '-out', cert],
  ]);
  return { key: await readFile(key, 'utf8'), cert: await readFile(cert, 'utf8'), file: cert };
};
