import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadSettings } from '../../config/load.ts';
import { TributaryError } from '../../errors/errors.ts';
import { copyCheckpoint } from '../../indexing/copy-checkpoint.ts';
import { copyIndex, type CopyProgress, type CopyReport } from '../../indexing/copy-index.ts';
import { readMappingBody, type MappingBody } from '../../indexing/mapping-body.ts';
import { openCopyEnds, type CopyEnds } from './copy-engines.ts';
import { namesOfAll } from './copy-names.ts';
import { copyOptions, copyUsage, type CopyOptions } from './copy-options.ts';
import { describeError } from '../terminal/describe-error.ts';
import { formatCount } from '../terminal/format-count.ts';
import { loadProgress, type LoadProgress } from '../load/load-progress.ts';
import { runCommand } from '../terminal/run-command.ts';

/**
 * The command `tributary copy`: indexes from one engine to another.
 * @param argv what follows `copy`
 * @returns the exit code: 0 when every index is there with all its documents; 1 when one is not; 2 for an invalid
 *   command line
 */
export const runCopy = (argv: readonly string[], env: NodeJS.ProcessEnv): Promise<number> =>
  runCommand(
    { name: 'copy', usage: copyUsage, optionsOf: copyOptions, work: (options) => copy(options, env) },
    argv,
  );

const copy = async (options: CopyOptions, env: NodeJS.ProcessEnv): Promise<number> => {
  loadSettings(env).warnings.forEach((warning) => console.error(`warning: ${warning}`));
  const body = await bodyOf(options.mappingFile);
  const ends = await openCopyEnds(options, env);
  try {
    const names = options.names ?? (await namesOfAll(ends.from, env));
    const folder = join(checkpointsOf(ends, env), 'copies');
    let worst = 0;
    for (const name of names) worst = Math.max(worst, await copyOne(name, ends, folder, options, body));
    return worst;
  } finally {
    await ends.close();
  }
};

const bodyOf = async (file: string | undefined): Promise<MappingBody | null> => {
  if (file === undefined) return null;
  try {
    return readMappingBody(JSON.parse((await readFile(file, 'utf8')).replace(/^\uFEFF/, '')), file);
  } catch (cause) {
    if (cause instanceof TributaryError) throw cause;
    throw new TributaryError('INPUT_INVALID', `cannot read the mapping ${file}: ${(cause as Error).message}`, { cause }); // prettier-ignore
  }
};

/** The data folder for checkpoints: that of an embedded engine if there is one. */
const checkpointsOf = ({ from, to }: CopyEnds, env: NodeJS.ProcessEnv): string => {
  for (const { settings } of [from, to]) if (settings.kind === 'embedded') return settings.dataPath;
  const { engine } = loadSettings({ ...env, SEARCH_ENGINE: 'embedded' });
  return engine.kind === 'embedded' ? engine.dataPath : '';
};

/** Copies one index; failures are reported, and the next one is copied. */
const copyOne = async (
  name: string,
  { from, to }: CopyEnds,
  folder: string,
  { mode }: CopyOptions,
  body: MappingBody | null,
): Promise<number> => {
  const checkpoint = copyCheckpoint(folder, name, from.place, to.place);
  const startedMs = performance.now();
  let bar: LoadProgress | null = null;
  let done = 0;
  const show = (progress: CopyProgress): void => {
    done = progress.documents;
    bar ??= loadProgress(progress.total, () => done, process.stderr);
    bar.update({ created: progress.created, updated: progress.updated, deleted: 0, rejected: 0 });
  };
  try {
    const request = { name, body, mode };
    const report = await copyIndex(from.engine, to.engine, request, checkpoint, show);
    stop(bar);
    console.log(reportLine(name, report, performance.now() - startedMs));
    return 0;
  } catch (error) {
    stop(bar);
    console.error(`tributary copy: ${name}: ${describeError(error)}`);
    return 1;
  }
};

const stop = (bar: LoadProgress | null): void => bar?.stop();

const reportLine = (name: string, { index, documents, resumedAt }: CopyReport, elapsedMs: number): string => {
  if (index === null) return `${name}: the target has its ${formatCount(documents)} documents already`;
  const from = resumedAt === 0 ? '' : `, the first ${formatCount(resumedAt)} by an earlier run`;
  return (
    `${name}: copied to ${index}, ${formatCount(documents)} documents in both${from}; ` +
    `${(elapsedMs / 1000).toFixed(1)} s`
  );
};
