import { globSync, readFileSync } from 'node:fs';
import shared from '../../../ava.config.js';
import { startTestServers } from './servers.ts';

const root = new URL('../../../', import.meta.url);
const needsServers = (path) => /from '.*\/(on-)?servers\.ts'/.test(readFileSync(new URL(path, root), 'utf8'));

/**
 * The tests against real search servers, those of TEST_ENGINES: `npm run test:all -- engines`. The servers are started once and
 * run until AVA ends; one file at a time, for some look at all that a server does.
 */
export default {
  ...shared,
  files: globSync('test/{engines/cluster,indexing,capabilities/disclosure/release}/**/*.test.ts', {
    cwd: root,
  }).filter(needsServers),
  // a busy search server takes minutes to make the indexes of a file
  timeout: '15m',
  concurrency: 1,
  serial: true,
  environmentVariables: {
    ...shared.environmentVariables,
    ...(await startTestServers(process.env['TEST_ENGINES'] ?? 'opensearch2,elasticsearch8')),
  },
};
