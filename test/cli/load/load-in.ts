import { runLoad } from '../../../src/cli/load/load.ts';

export interface Outcome {
  readonly code: number;
  readonly output: string;
}

export const settings = { NODES_PATH: 'off', CONFIGS_PATH: 'configs', DATA_PATH: 'data' };

/** Runs `tributary load` in this process: in that folder, its output collected. */
export const loadIn = async (folder: string, argv: readonly string[]): Promise<Outcome> => {
  const before = { folder: process.cwd(), log: console.log, error: console.error };
  let output = '';
  process.chdir(folder);
  console.log = console.error = (line: string) => void (output += `${line}\n`);
  try {
    return { code: await runLoad(argv, settings), output };
  } finally {
    process.chdir(before.folder);
    Object.assign(console, { log: before.log, error: before.error });
  }
};
