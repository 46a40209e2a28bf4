import { constants } from 'node:os';
import { TributaryError } from '../../errors/errors.ts';

/** Tells a command to end, and with which exit code. */
export interface Interruption {
  /** Aborted by the first Ctrl-C or SIGTERM, with an error that says so. */
  readonly signal: AbortSignal;
  /** 128 and the signal's number; null when there was none. */
  exitCode(): number | null;
  /** Restores the default signal handling. */
  stop(): void;
}

const signals = ['SIGINT', 'SIGTERM'] as const;

/** From now on; a second signal ends the process at once, as the default does. */
export const interruption = (): Interruption => {
  const controller = new AbortController();
  let code: number | null = null;
  const end = (name: NodeJS.Signals): void => {
    stop();
    code = 128 + constants.signals[name];
    controller.abort(new TributaryError('INPUT_INVALID', `ended by ${name === 'SIGINT' ? 'Ctrl-C' : name}`));
  };
  const stop = (): void => signals.forEach((name) => void process.removeListener(name, end));
  for (const name of signals) process.on(name, end);
  return { signal: controller.signal, exitCode: () => code, stop };
};
