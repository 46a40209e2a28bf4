import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';

export default {
  extensions: { ts: 'module' },
  // of their own: attacks run few at a time, since they keep the processors busy; the package is built and installed
  files: ['test/**/*.test.ts', '!test/whole/{attack,package}/**'],
  require: ['./test/ends-by-itself.ts'],
  // without any result: on a busy machine a group of files takes a minute to load
  timeout: '4m',
  // one file more than processors: many wait for a server or a child process most of their time
  concurrency: Math.min(8, availableParallelism() + 1),
  workerThreads: false,
  // what one test process has compiled the others need not: that is half of their time
  environmentVariables: {
    NODE_COMPILE_CACHE: fileURLToPath(new URL('node_modules/.cache/node', import.meta.url)),
  },
};
