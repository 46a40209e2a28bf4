import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { temporaryFolder } from '../../server/config/temporary-folder.ts';

const root = join(import.meta.dirname, '../../..');
const alerts = join(root, 'deploy/alerts');

/** promtool as it is installed, else of Debian's package of Prometheus; null where there is neither. */
const findPromtool = (): string | null => {
  if (spawnSync('promtool', ['--version']).status === 0) return 'promtool';
  const folder = join(root, 'node_modules/.cache/prometheus');
  const promtool = join(folder, 'usr/bin/promtool');
  if (existsSync(promtool)) return promtool;
  mkdirSync(folder, { recursive: true });
  try {
    execFileSync('apt-get', ['download', '-qq', 'prometheus'], { cwd: folder, stdio: 'pipe' });
    const [archive] = readdirSync(folder).filter((name) => name.endsWith('.deb'));
    execFileSync('dpkg-deb', ['-x', archive!, '.'], { cwd: folder });
    return promtool;
  } catch {
    return null;
  }
};

test('alerts are raised for what is wrong once it has lasted, and for nothing else', (t) => {
  t.timeout(300_000);
  const promtool = findPromtool();
  if (promtool === null) {
    t.log('neither promtool nor a package of Prometheus is here');
    t.pass();
    return;
  }
  const rules = readFileSync(join(alerts, 'tributary.rules.yml'), 'utf8');
  const verdict = (text: string) => {
    const folder = temporaryFolder(t, {
      'tributary.rules.yml': text,
      'tributary.test.yml': readFileSync(join(alerts, 'tributary.test.yml'), 'utf8'),
    });
    const options = ['test', 'rules', 'tributary.test.yml'];
    const { status, stdout, stderr } = spawnSync(promtool, options, { cwd: folder, encoding: 'utf8' });
    return { status, text: stdout + stderr };
  };
  const { status, text } = verdict(rules);
  t.is(status, 0, text);
  t.not(verdict(rules.replace('> 0.05', '> 0.5')).status, 0);
});
