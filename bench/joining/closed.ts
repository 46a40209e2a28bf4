import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endsWithUs } from '../../test/ends-with-us.ts';
import { joinFromClosedNetwork, withoutNamespaces } from '../../test/capabilities/joining/closed-network.ts';
import { openFront, type Certificate } from '../../test/capabilities/joining/proxies.ts';

const hasNginx = spawnSync('nginx', ['-v']).status === 0;

/** nginx as deploy/proxies/nginx.conf configures it. */
const openNginx = async (port: number, to: number, { key, cert }: Certificate) => {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-nginx-'));
  writeFileSync(join(folder, 'key.pem'), key);
  writeFileSync(join(folder, 'cert.pem'), cert);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; pid ${folder}/pid; error_log ${folder}/error.log;
    events {}
    http { access_log off; ${temporary.join(' ')}
      server { listen 127.0.0.1:${port} ssl; ssl_certificate ${folder}/cert.pem; ssl_certificate_key ${folder}/key.pem;
        location / { proxy_pass http://127.0.0.1:${to}; proxy_http_version 1.1; proxy_set_header Host $host;
          proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection "upgrade"; proxy_read_timeout 75s; } } }`,
  );
  const server = endsWithUs(spawn('nginx', ['-c', join(folder, 'nginx.conf')], { stdio: 'ignore' }));
  const ended = once(server, 'close');
  return {
    stop: async () => {
      server.kill();
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
};

/** A member in a network namespace without a route, through a proxy with TLS and a password, to a hub behind nginx. */
export const showClosed = async (): Promise<boolean> => {
  const problem = withoutNamespaces();
  if (problem !== null) {
    console.log(`network namespaces cannot be made here: ${problem}`);
    return true;
  }
  const { total, check, withoutProxy, wrongPassword } = await joinFromClosedNetwork(
    hasNginx ? openNginx : (port, to, certificate) => openFront(to, { certificate, port }),
  );
  console.log(
    `in a namespace with loopback only, through a proxy with TLS and a password, ${hasNginx ? 'nginx' : 'a reverse proxy of the tests'} before the hub: ${total} of 5 records`,
  );
  for (const line of [check, withoutProxy, wrongPassword]) console.log(`  join --check: ${line}`);
  return total === 5;
};
