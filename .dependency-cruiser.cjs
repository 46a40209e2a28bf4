// What every room may use; of each other they import only those to their left.
const foundations = ['errors', 'concurrency', 'json', 'text', 'net', 'runtime', 'hierarchies', 'tunnel'];

// The direction of imports: each room lists what it may import. Nothing imports sideways or to the right.
const rooms = {
  introspection: [],
  graphql: [],
  sqon: ['introspection'],
  access: ['introspection', 'sqon'],
  engines: ['introspection', 'sqon'],
  search: ['introspection', 'sqon', 'engines'],
  disclosure: ['introspection', 'sqon', 'engines', 'search'],
  facets: ['introspection', 'graphql', 'sqon', 'engines', 'search'],
  local: ['introspection', 'graphql', 'sqon', 'engines', 'search', 'facets'],
  federation: ['introspection', 'graphql', 'sqon', 'engines', 'search', 'facets', 'local'],
  indexing: ['introspection', 'sqon', 'engines'],
  http: [
    'access',
    'introspection',
    'graphql',
    'sqon',
    'engines',
    'search',
    'disclosure',
    'local',
    'federation',
  ],
  doors: ['introspection', 'sqon', 'engines', 'search', 'federation', 'http'],
  node: [
    'access',
    'introspection',
    'sqon',
    'engines',
    'search',
    'disclosure',
    'local',
    'federation',
    'http',
    'doors',
    'config',
  ],
  config: ['introspection', 'indexing'],
};

/** What rooms are told at the start: types that config fills. */
const settings = '^src/(engines/cluster/cluster-settings|http/koa/(portal-)?settings)\\.ts$';

/** A rule that forbids a room everything but itself, the files above the rooms and the rooms it lists. */
const direction = ([room, allowed]) => ({
  name: `${room}-imports`,
  severity: 'error',
  from: { path: `^src/${room}/` },
  to: {
    path: '^src/',
    pathNot: `${room === 'config' ? `${settings}|` : ''}^src/((${foundations.join('|')})/|(${[room, ...allowed].join('|')})/)`,
  },
});

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-folder-cycles',
      comment: 'a folder inside a room is a room: two of them that import each other are one',
      severity: 'error',
      scope: 'folder',
      from: { path: '^src' },
      to: { circular: true },
    },
    { name: 'no-orphans', severity: 'error', from: { orphan: true, pathNot: 'main\\.ts$' }, to: {} },
    ...Object.entries(rooms).map(direction),
    ...foundations.map((room, at) => ({
      name: `${room}-imports`,
      comment: 'the foundations are for all rooms, so they know none',
      severity: 'error',
      from: { path: `^src/${room}/` },
      to: { path: '^src/', pathNot: `^src/(${foundations.slice(0, at + 1).join('|')})/` },
    })),
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
          '^src/(json/json\\.ts$|errors/|text/(portal-languages|escape-formula|edit-distance|fold)\\.ts$|sqon/|introspection/fields/(names|field)\\.ts$|search/node-states\\.ts$|net/retry\\.ts$|concurrency/abort-listener\\.ts$)',
      },
    },
    { name: 'no-portal', severity: 'error', from: { path: '^src/' }, to: { path: '^portal/' } },
    {
      name: 'settings-types-only',
      comment: 'what a room is told has its type in that room; config fills it',
      severity: 'error',
      from: { path: '^src/config/' },
      to: { path: settings, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'config-types-only',
      comment: 'rooms get their part of the configuration handed in; only what wires them reads config',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(config/|main\\.ts$|library\\.ts$|cli/|node/)' },
      to: { path: '^src/config/' },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
  },
};
