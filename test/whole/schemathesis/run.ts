import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { pythonPrograms } from '../../python-program.ts';
import { openStage, repositoryCode, token } from './stage.ts';

/**
 * Runs Schemathesis against the indexing service of real processes and ends with the line `N passed, N failed`; N
 * counts requests, and a run that could not be made is one failure.
 */
const { values } = parseArgs({
  options: { examples: { type: 'string', default: '25' }, seed: { type: 'string', default: '1' } },
});

interface Report {
  readonly complete: boolean;
  readonly exit_code: number;
  readonly test_cases: {
    readonly generated: number;
    readonly with_failures: number;
    readonly errored: number;
  };
}

interface Sum {
  readonly passed: number;
  readonly failed: number;
}

/** A job that was cancelled stays listed, and a record that was removed may be indexed again: deleting is not an end here. */
const notHere = 'use_after_free';

interface Pass {
  /** Further options of the tool's command line. */
  readonly options?: readonly string[];
  /** The content of schemathesis.toml. */
  readonly config?: string;
  /** Checks that are not made. */
  readonly without?: readonly string[];
}

/** One run of the tool. */
const check = async (
  program: string,
  url: string,
  { options = [], config = '', without = [] }: Pass,
): Promise<Sum> => {
  const folder = mkdtempSync(join(tmpdir(), 'schemathesis-'));
  const report = join(folder, 'report.json');
  const settings = join(folder, 'schemathesis.toml');
  writeFileSync(settings, config);
  const target = ['--config-file', settings, 'run', `${url}/api-docs/openapi.json`];
  const checks = [
    '--checks',
    'all',
    '--exclude-checks',
    [notHere, ...without].join(),
    '--continue-on-failure',
  ];
  const limits = ['--max-examples', values.examples, '--seed', values.seed, '--request-timeout', '30'];
  try {
    // not the synchronous one: the repository answers from this very process meanwhile
    const child = spawn(
      program,
      [...target, ...checks, ...limits, '--report-json-path', report, ...options],
      {
        cwd: folder,
        stdio: 'inherit',
        timeout: 150_000,
      },
    );
    await once(child, 'close');
    if (!existsSync(report)) return { passed: 0, failed: 1 };
    return sumOf(JSON.parse(readFileSync(report, 'utf8')) as Report);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const sumOf = ({ complete, exit_code: exitCode, test_cases: cases }: Report): Sum => {
  const failed = cases.with_failures + cases.errored;
  const isWell = complete && exitCode === 0 && cases.generated > 0;
  return { passed: cases.generated - failed, failed: isWell ? failed : Math.max(failed, 1) };
};

const runAll = async (): Promise<Sum> => {
  const program = join(pythonPrograms('schemathesis==4.32.5'), 'schemathesis');
  const stage = await openStage();
  const known = `[parameters]\nrepositoryCode = "${repositoryCode}"\n`;
  const withToken = ['--header', `Authorization: Bearer ${token}`];
  const apart = ['--phases', 'coverage,fuzzing'];
  const chains = ['--phases', 'stateful', '--mode', 'positive'];
  // in chains the tool measures names as they are encoded, and then takes proper ones for too long
  const without = ['negative_data_rejection'];
  try {
    const sums = [
      await check(program, stage.openUrl, {}),
      await check(program, stage.openUrl, { config: known, options: apart }),
      await check(program, stage.openUrl, { config: known, options: chains, without }),
      await check(program, stage.closedUrl, { config: known, options: [...apart, ...withToken] }),
      await check(program, stage.closedUrl, { config: known, options: [...chains, ...withToken], without }),
    ];
    return {
      passed: sums.reduce((sum, { passed }) => sum + passed, 0),
      failed: sums.reduce((sum, { failed }) => sum + failed, 0),
    };
  } finally {
    await stage.close();
  }
};

if (spawnSync('python3', ['--version']).error !== undefined)
  console.log('skipped: there is no python3 here, which Schemathesis needs\n0 passed, 0 failed');
else {
  const { passed, failed } = await runAll().catch((error: unknown): Sum => {
    console.error(error instanceof Error ? error.message : error);
    return { passed: 0, failed: 1 };
  });
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}
