import { execFile } from 'node:child_process';
import { access, mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A server that can be started: its version and the oldest JDK it runs on. */
export interface ServerKind {
  readonly product: 'opensearch' | 'elasticsearch';
  readonly version: string;
  readonly jdk: number;
  /** The folder here with its packages and its main class. */
  readonly source: keyof typeof mainClasses;
}

export const serverKinds: Readonly<Record<string, ServerKind>> = {
  opensearch2: { product: 'opensearch', version: '2.19.6', jdk: 17, source: 'opensearch' },
  opensearch3: { product: 'opensearch', version: '3.8.0', jdk: 21, source: 'opensearch' },
  elasticsearch7: { product: 'elasticsearch', version: '7.17.29', jdk: 17, source: 'elasticsearch7' },
  elasticsearch8: { product: 'elasticsearch', version: '8.19.21', jdk: 17, source: 'elasticsearch' },
  elasticsearch9: { product: 'elasticsearch', version: '9.5.3', jdk: 21, source: 'elasticsearch' },
};

const mainClasses = {
  opensearch: { file: 'OpenSearchServer.java', name: 'OpenSearchServer', others: [] },
  elasticsearch7: { file: 'Elasticsearch7Server.java', name: 'Elasticsearch7Server', others: [] },
  elasticsearch: {
    file: 'org/elasticsearch/node/ElasticsearchServer.java',
    name: 'org.elasticsearch.node.ElasticsearchServer',
    others: ['org/elasticsearch/plugins/NettyOnly.java'],
  },
} as const;

export interface BuiltServer {
  readonly java: string;
  readonly jdk: number;
  readonly classPath: string;
  readonly mainClass: string;
}

/** What stands in the way of building a server here. */
export class CannotBuild extends Error {}

/**
 * A server from its Maven packages: fetched and compiled once, then kept in the user's cache folder.
 * @throws CannotBuild without a JDK or Maven, or when the packages cannot be had
 */
export const buildServer = async (kind: ServerKind): Promise<BuiltServer> => {
  const { product, version, jdk } = kind;
  const home = await findJdk(jdk);
  const source = join(import.meta.dirname, kind.source);
  const { file, name, others } = mainClasses[kind.source];
  const cache = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
  const build = join(cache, 'tributary-test-servers', `${product}-${version}`);
  const list = join(build, 'classpath');
  const java = { java: join(home.path, 'bin/java'), jdk: home.version, mainClass: name };
  const done = join(build, 'done');
  if (!(await exists(done))) {
    await mkdir(join(build, 'classes'), { recursive: true });
    await attempt('mvn', [
      ...['-B', '-q', '-f', join(source, 'pom.xml'), `-Dserver.version=${version}`],
      'org.apache.maven.plugins:maven-dependency-plugin:3.6.1:build-classpath',
      `-Dmdep.outputFile=${list}`,
    ]);
    await attempt(join(home.path, 'bin/javac'), [
      ...['-nowarn', '-proc:none', '--release', String(jdk), '-d', join(build, 'classes')],
      ...['-cp', await readFile(list, 'utf8'), ...[file, ...others].map((path) => join(source, path))],
    ]);
    await writeFile(done, '');
  }
  return { ...java, classPath: `${join(build, 'classes')}:${await readFile(list, 'utf8')}` };
};

const attempt = async (command: string, options: readonly string[]): Promise<void> => {
  try {
    await run(command, options, { maxBuffer: 1 << 26 });
  } catch (error) {
    throw new CannotBuild(`${command} failed: ${error instanceof Error ? error.message.slice(-600) : ''}`);
  }
};

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** The JDK of JAVA_HOME, or one where Linux distributions put them, new enough. */
const findJdk = async (least: number): Promise<{ path: string; version: number }> => {
  const installed = await readdir('/usr/lib/jvm').catch(() => []);
  const candidates = [process.env['JAVA_HOME'], ...installed.map((name) => join('/usr/lib/jvm', name))];
  for (const path of candidates) {
    if (path === undefined || !(await exists(join(path, 'bin/javac')))) continue;
    const release = await readFile(join(path, 'release'), 'utf8').catch(() => '');
    const version = Number(/JAVA_VERSION="(\d+)/.exec(release)?.[1] ?? 0);
    if (version >= least) return { path, version };
  }
  throw new CannotBuild(`no JDK ${least} or newer found, JAVA_HOME can name one`);
};
