// The rooms, from the ground up: each imports only those that it lists, all above it here.
const rooms = {
  lib: [],
  introspection: ['lib'],
  sqon: ['lib', 'introspection'],
  engines: ['lib', 'introspection', 'sqon'],
  search: ['lib', 'introspection', 'sqon', 'engines'],
  local: ['lib', 'introspection', 'sqon', 'engines', 'search'],
  federation: ['lib', 'introspection', 'sqon', 'engines', 'search', 'local'],
  indexing: ['lib', 'introspection', 'sqon', 'engines'],
  server: ['lib', 'introspection', 'sqon', 'engines', 'search', 'local', 'federation', 'indexing'],
};

/** A rule that forbids a room everything but itself and the rooms it lists. */
const direction = ([room, allowed]) => ({
  name: `${room}-imports`,
  severity: 'error',
  from: { path: `^src/${room}/` },
  to: {
    path: '^src/',
    pathNot: `^src/(${[room, ...allowed].join('|')})/`,
  },
});

/** What rooms are told at the start: types that config fills. */
const settings = '^src/(engines/cluster/cluster-settings|server/http/koa/(portal-)?settings)\\.ts$';

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-folder-cycles',
      comment: 'a folder inside a room is a room: two of them that import each other are one',
      severity: 'error',
      scope: 'folder',
      from: { path: '^src', pathNot: '^src/(server|capabilities)$' },
      to: { circular: true },
    },
    { name: 'no-orphans', severity: 'error', from: { orphan: true, pathNot: 'main\\.ts$' }, to: {} },
    ...Object.entries(rooms).map(direction),
    {
      name: 'capability-imports',
      comment: 'a capability knows the rooms, and no other capability',
      severity: 'error',
      from: { path: '^src/capabilities/([^/]+)/' },
      to: {
        path: '^src/',
        pathNot: `^src/(${Object.keys(rooms).join('|')})/|^src/capabilities/$1/`,
      },
    },
    {
      name: 'standard-alone',
      comment: 'only what starts the program knows which capabilities ship',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(main|library)\\.ts$' },
      to: { path: '^src/standard\\.ts$' },
    },
    {
      name: 'cli-imports',
      comment: 'a command may import every room, but not what starts it',
      severity: 'error',
      from: { path: '^src/cli/' },
      to: { path: '^src/(main|library)\\.ts$' },
    },
    {
      name: 'no-cli',
      comment: 'only main runs commands',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(cli/|main\\.ts$)' },
      to: { path: '^src/cli/' },
    },
    { name: 'no-main', severity: 'error', from: {}, to: { path: '^src/main\\.ts$' } },
    {
      name: 'portal-imports',
      comment: 'the pages speak the public API; of the server they share what is pure',
      severity: 'error',
      from: { path: '^portal/' },
      to: {
        path: '^src/',
        pathNot:
          '^src/(lib/(json/json\\.ts$|errors/|text/(portal-languages|escape-formula|edit-distance|fold|units)\\.ts$|net/retry\\.ts$|concurrency/abort-listener\\.ts$)|sqon/|introspection/fields/(names|field)\\.ts$|search/node-states\\.ts$)',
      },
    },
    { name: 'no-portal', severity: 'error', from: { path: '^src/' }, to: { path: '^portal/' } },
    {
      name: 'settings-types-only',
      comment: 'what a room is told has its type in that room; config fills it',
      severity: 'error',
      from: { path: '^src/server/config/' },
      to: { path: settings, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'config-types-only',
      comment: 'rooms get their part of the configuration handed in; only what wires them reads config',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot:
          '^src/(server/(config/|node/|http/capability\\.ts$)|main\\.ts$|library\\.ts$|cli/|capabilities/)',
      },
      to: { path: '^src/server/config/' },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
  },
};
