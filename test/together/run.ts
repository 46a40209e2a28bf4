/**
 * Runs the test files of one group in one process. AVA starts a process for every file it is told of, which costs more
 * than most files take; so `npm test` names it the entries of this folder (`ava.config.js`), all of which import this
 * module. It imports the files of the group one after another, with `ava` replaced by a stand-in that records what each
 * file declares, then declares everything to AVA: titles prefixed with their file, tests one after another in the order
 * of the files, hooks and `t.context` scoped to their file. A file run by its name (`npx ava test/sqon/parse.test.ts`)
 * knows nothing of this.
 */
import { registerHooks } from 'node:module';
import { basename } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import ava, { type ExecutionContext } from 'ava';
import { filesOf } from './groups.ts';
import { record, type Declared } from './stand-in.ts';

type Hook = 'before' | 'beforeEach' | 'afterEach' | 'after';

interface TestFile {
  readonly path: string;
  readonly declared: readonly Declared[];
  /** What its `before` hooks left in `t.context`. */
  context: unknown;
  /** Why its `before` hooks failed: none of its tests runs. */
  failure?: unknown;
}

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'ava' && context.parentURL !== import.meta.url
      ? { url: new URL('stand-in.ts', import.meta.url).href, shortCircuit: true }
      : next(specifier, context),
});

const files: TestFile[] = [];
for (const path of filesOf(basename(fileURLToPath(ava.meta.file), '.ts'))) {
  const declared = await record(() => import(pathToFileURL(path).href));
  if (!declared.some(({ name }) => name === 'test')) throw new Error(`${path} declares no test`);
  files.push({ path, declared, context: {} });
}

for (const file of files) {
  const tests = file.declared.filter(({ name }) => name === 'test');
  // as AVA does: the serial tests of a file first
  for (const { flags, args } of [
    ...tests.filter(({ flags }) => flags.includes('serial')),
    ...tests.filter(({ flags }) => !flags.includes('serial')),
  ]) {
    const [name, ...rest] = args;
    if (typeof name !== 'string') throw new Error(`${file.path} declares a test without a title`);
    let declare = ava.serial as unknown as Record<string, never>;
    for (const flag of flags) if (flag !== 'serial') declare = declare[flag]!;
    (declare as unknown as (...args: unknown[]) => void)(`${file.path} › ${name}`, ...rest);
  }
}

let open: TestFile | undefined;

ava.beforeEach(async (t) => {
  // a hook's title is "beforeEach hook for" and that of the test
  const [, path] = / for (.+?) › /.exec(t.title)!;
  const file = files.find((file) => file.path === path)!;
  if (file !== open) {
    await close(t);
    open = file;
    await runHooks(t, file, 'before').catch((error: unknown) => (file.failure = error));
    file.context = t.context;
  }
  if (file.failure !== undefined) throw file.failure;
  t.context = { ...(file.context as object) };
  await runHooks(t, file, 'beforeEach');
});

ava.afterEach.always((t) => runHooks(t, open!, 'afterEach'));

ava.after.always((t) => close(t));

/** Runs the `after` hooks of the file whose tests ran last. */
const close = async (t: ExecutionContext): Promise<void> => {
  const file = open;
  open = undefined;
  if (file === undefined) return;
  t.context = file.context;
  await runHooks(t, file, 'after');
  t.context = {};
};

const runHooks = async (t: ExecutionContext, { declared }: TestFile, kind: Hook): Promise<void> => {
  for (const { name, flags, args } of declared) {
    if (name !== kind || flags.includes('skip')) continue;
    if (kind === 'afterEach' && !flags.includes('always') && !t.passed) continue;
    const hook = args.find((arg) => typeof arg === 'function') as (t: ExecutionContext) => unknown;
    await hook(t);
  }
};
