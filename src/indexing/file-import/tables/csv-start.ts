import type { ReadingOptions } from '../records/source-record.ts';
import { delimiterOption, noDelimiter, question } from './question.ts';
import { firstLineOf } from './read-table.ts';

/** Possible separators of cells. */
const delimiters = [',', ';', '\t', '|'] as const;
export const maxHeaderBytes = 64 * 1024;

/** The beginning of a CSV file. */
interface CsvStart {
  /** The first lines after skipped ones, up to the limit of the detection. */
  readonly head: string;
  /** The delimiter from a first line `sep=;`, which spreadsheets write. */
  readonly delimiter: string | undefined;
  /** Comments above the header. */
  readonly comments: readonly string[];
  readonly commentsFrom: number;
  /** The number of lines that `chunks` omits. */
  readonly skippedLines: number;
  readonly chunks: AsyncIterable<Buffer>;
}

/**
 * Reads the beginning, however small the chunks are. Leaves out lines to skip and comments, in which quotes have no meaning;
 * reads more if there is nothing else.
 */
export const csvStart = async (
  chunks: AsyncGenerator<Buffer>,
  reading: ReadingOptions,
): Promise<CsvStart> => {
  const taken: Buffer[] = [];
  let [bytes, isEnd] = [0, false];
  for (let limit = maxHeaderBytes; ; limit *= 2) {
    while (bytes < limit && !isEnd) {
      const next = await chunks.next();
      isEnd = next.done === true;
      if (next.done !== true) bytes += taken[taken.push(next.value) - 1]!.length;
    }
    const { rest, ...start } = startIn(Buffer.concat(taken), limit, reading);
    if (start.skippedLines > 0 && !/[\r\n]/.test(start.head) && !isEnd && limit < maxStartBytes) continue;
    const replay = async function* (): AsyncGenerator<Buffer> {
      if (rest.length > 0) yield rest;
      yield* chunks;
    };
    return { ...start, chunks: replay() };
  }
};

const maxStartBytes = 32 * 1024 * 1024;

const startIn = (bytes: Buffer, limit: number, reading: ReadingOptions) => {
  const text = bytes.subarray(0, limit).toString();
  const hint = /^sep=(.)(?:\r\n?|\n|$)/i.exec(text);
  const skipped = leadingLines(text, Math.max(hint === null ? 0 : 1, firstLineOf(reading) - 1));
  const comments = commentsIn(text.slice(skipped.length), reading);
  const omitted = skipped.length + comments.length;
  return {
    head: text.slice(omitted),
    delimiter: hint?.[1],
    comments: comments === '' ? [] : comments.replace(/(?:\r\n?|\n)$/, '').split(/\r\n?|\n/),
    commentsFrom: countLines(skipped) + 1,
    skippedLines: countLines(skipped) + countLines(comments),
    rest: bytes.subarray(Buffer.byteLength(text.slice(0, omitted))),
  };
};

const countLines = (text: string): number => text.match(/\r\n?|\n/g)?.length ?? 0;

const leadingLines = (text: string, count: number): string => {
  const line = /[^\r\n]*(?:\r\n?|\n)/y;
  let end = 0;
  for (let left = count; left > 0 && line.test(text); left -= 1) end = line.lastIndex;
  return text.slice(0, end);
};

/** The lines above the header that begin with the comment sign; a single one may be the header. */
const commentsIn = (text: string, { comment, header }: ReadingOptions): string => {
  if (typeof header === 'object') return '';
  const sign = comment ?? '#';
  const line = /([^\r\n]*)(?:\r\n?|\n)/y;
  let end = 0;
  for (let found = line.exec(text); found?.[1]!.startsWith(sign) === true; found = line.exec(text))
    end = line.lastIndex;
  const comments = text.slice(0, end);
  return comment === undefined && countLines(comments) < 2 ? '' : comments;
};

export const trimmed = (cell: string): string => cell.trim().replace(/^"(.*)"$/, '$1');

const looked = 50;

const firstLines = (text: string): readonly string[] => {
  const lines = text
    .replace(/"(?:[^"]|"")*"/g, '""')
    .split(/\r\n?|\n/)
    .filter((line) => line.trim() !== '');
  return lines.slice(0, looked);
};

/** The number of cells that most lines have. */
export const widthOf = (text: string, delimiter: string): number =>
  usual(firstLines(text).map((line) => line.split(delimiter).length));

const usual = (counts: readonly number[]): number => {
  const often = (count: number): number => counts.filter((one) => one === count).length;
  return counts.reduce((best, count) => (often(count) > often(best) ? count : best), counts[0] ?? 0);
};

/**
 * The most frequent delimiter in the first line, outside quotes, unless most other lines lack it and another delimiter
 * separates them evenly, as below a title; none if the lines are one column.
 */
export const delimiterOf = (text: string): string => {
  const lines = withoutComment(firstLines(text));
  // R's write.table puts spaces between quoted names
  if (/^""(?: "")+$/.test(lines[0] ?? '')) return ' ';
  const counts = (delimiter: string): readonly number[] => lines.map((line) => line.split(delimiter).length);
  // texts rarely contain tabs, but cells between tabs contain commas
  const tabs = counts('\t');
  if (tabs.length > 1 && tabs[0]! > 1 && tabs.every((count) => count === tabs[0])) return '\t';
  const first = (delimiter: string): number => counts(delimiter)[0] ?? 0;
  const best = delimiters.reduce<string>((one, other) => (first(other) > first(one) ? other : one), ',');
  if (first(best) > 1 && (lines.length < 2 || usual(counts(best).slice(1)) > 1)) return best;
  const even = delimiters.filter((delimiter) => isEven(counts(delimiter)));
  // a column of texts, some of which have a comma
  if (even.length === 0) return first(best) > 1 ? best : noDelimiter;
  return even.reduce((one, other) => (usual(counts(other)) > usual(counts(one)) ? other : one));
};

/** Lines without a first one that is a comment, and no header of several names. */
const withoutComment = ([first = '', ...others]: readonly string[]): readonly string[] =>
  first.startsWith('#') && others.length > 0 && !delimiters.some((sign) => first.includes(sign))
    ? others
    : [first, ...others];

/** @throws TributaryError INPUT_INVALID lines that another delimiter separates as evenly */
export const rejectAmbiguity = (text: string, delimiter: string): void => {
  const lines = firstLines(text);
  if (lines.length < 2 || delimiter === '\t' || delimiter === noDelimiter) return;
  const isAlike = (sign: string): boolean => {
    const counts = lines.map((line) => line.split(sign).length);
    return counts[0]! > 1 && counts.every((count) => count === counts[0]);
  };
  const other = delimiters.find((sign) => sign !== delimiter && isAlike(sign));
  if (other === undefined || !isAlike(delimiter)) return;
  throw question(
    `the cells may be separated by ${JSON.stringify(delimiter)} or by ${JSON.stringify(other)} (line 1: ${lines[0]!}; line 2: ${lines[1]!}): load with ${delimiterOption(delimiter)} or with ${delimiterOption(other)}`,
    delimiterOption(delimiter),
  );
};

/** Whether most lines have this many cells, and nearly all from the first such line on. */
const isEven = (counts: readonly number[]): boolean => {
  const width = usual(counts.filter((count) => count > 1));
  const alike = counts.filter((count) => count === width).length;
  return width > 1 && alike * 5 >= (counts.length - counts.indexOf(width)) * 4 && alike * 2 >= counts.length;
};
