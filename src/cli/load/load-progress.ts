import { SingleBar } from 'cli-progress';
import type { ImportProgress } from '../../indexing/file-import/import-file.ts';
import { formatCount } from '../terminal/format-count.ts';
import { loaded } from '../../indexing/file-import/import-file.ts';

export interface LoadProgress {
  /** Cheap enough for every record. */
  update(progress: ImportProgress): void;
  stop(): void;
}

interface Terminal extends NodeJS.WriteStream {
  readonly isTTY: boolean;
}

const lineEveryMs = 5_000;
const barEveryMs = 200;

/**
 * Shows the progress of a load: a bar on a terminal if the file's size is known, else a line every five seconds.
 * @param size bytes of the file as stored, or null
 * @param bytesRead how many of them are read
 */
export const loadProgress = (
  size: number | null,
  bytesRead: () => number,
  terminal: NodeJS.WriteStream,
): LoadProgress =>
  (terminal as Terminal).isTTY && size !== null && size > 0
    ? progressBar(size, bytesRead, terminal)
    : progressLines(size, bytesRead, terminal);

const progressBar = (size: number, bytesRead: () => number, terminal: NodeJS.WriteStream): LoadProgress => {
  const format = '{bar} {percentage}% | {documents} documents, {rejected} rejected | {rate}/s';
  const bar = new SingleBar({ format, stream: terminal, hideCursor: true, clearOnComplete: true });
  const started = performance.now();
  let shown = 0;
  bar.start(size, 0, { documents: '0', rejected: '0', rate: '0' });
  return {
    update: (progress) => {
      const now = performance.now();
      if (now - shown < barEveryMs) return;
      shown = now;
      bar.update(bytesRead(), { ...figures(progress, now - started) });
    },
    stop: () => bar.stop(),
  };
};

const progressLines = (
  size: number | null,
  bytesRead: () => number,
  terminal: NodeJS.WriteStream,
): LoadProgress => {
  const started = performance.now();
  let shown = started;
  return {
    update: (progress) => {
      const now = performance.now();
      if (now - shown < lineEveryMs) return;
      shown = now;
      const { documents, rejected, rate } = figures(progress, now - started);
      const part = size === null ? '' : `${String(Math.floor((100 * bytesRead()) / size))}% | `;
      terminal.write(`${part}${documents} documents, ${rejected} rejected | ${rate}/s\n`);
    },
    stop: () => undefined,
  };
};

const figures = (progress: ImportProgress, elapsedMs: number) => ({
  documents: formatCount(loaded(progress)),
  rejected: formatCount(progress.rejected),
  rate: formatCount(Math.round((1000 * loaded(progress)) / Math.max(1, elapsedMs))),
});
