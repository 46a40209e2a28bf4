import { promisify } from 'node:util';
import { inflateRaw } from 'node:zlib';
import { invalidInput, type TributaryError } from '../../../lib/errors/errors.ts';
import { mebibytes } from '../records/decode-text.ts';

/** Reading a workbook takes several times the memory of its unpacked parts. */
const maxUnpackedBytes = 128 * 1024 * 1024;
/** Cells of the rectangle that a sheet covers; even empty ones cost memory. */
const maxCells = 40_000_000;

const endRecord = 0x06054b50;
const entryRecord = 0x02014b50;
const localRecord = 0x04034b50;
const inflate = promisify(inflateRaw);

interface Entry {
  readonly name: string;
  readonly method: number;
  readonly packed: number;
  readonly unpacked: number;
  readonly offset: number;
}

/**
 * Checks the unpacked size of a workbook before it is read: a small file can unpack to any size, and one cell in a far
 * corner makes a sheet of millions.
 * @returns whether some sheet may have cells that hold ISO dates instead of numbers of days
 * @throws TributaryError INPUT_INVALID too large, or damaged
 */
export const checkWorkbook = async (bytes: Buffer): Promise<boolean> => {
  const entries = directoryOf(bytes).filter(({ name }) => /\.(xml|rels)$/.test(name));
  const unpacked = entries.reduce((sum, entry) => sum + entry.unpacked, 0);
  if (unpacked > maxUnpackedBytes)
    throw invalidInput(
      `the workbook unpacks to ${mebibytes(unpacked)}, more than ${mebibytes(maxUnpackedBytes)}: save the sheet as CSV`,
    );
  let hasIsoDates = false;
  for (const entry of entries) {
    const content = await contentOf(bytes, entry);
    if (!/worksheets\/[^/]*\.xml$/.test(entry.name)) continue;
    const sheet = content.toString('latin1');
    checkSpan(sheet);
    hasIsoDates ||= isoDate.test(sheet);
  }
  return hasIsoDates;
};

const isoDate = /\st=["']d["']/;

const directoryOf = (bytes: Buffer): readonly Entry[] => {
  const end = bytes.lastIndexOf(Buffer.from('PK\u0005\u0006'));
  if (end < 0 || end + 22 > bytes.length || bytes.readUInt32LE(end) !== endRecord) throw damaged();
  const entries: Entry[] = [];
  let at = bytes.readUInt32LE(end + 16);
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== entryRecord) throw damaged();
    const [nameLength, extra, comment] = [28, 30, 32].map((field) => bytes.readUInt16LE(at + field)) as [
      number,
      number,
      number,
    ];
    entries.push({
      name: bytes.toString('utf8', at + 46, at + 46 + nameLength),
      method: bytes.readUInt16LE(at + 10),
      packed: bytes.readUInt32LE(at + 20),
      unpacked: bytes.readUInt32LE(at + 24),
      offset: bytes.readUInt32LE(at + 42),
    });
    at += 46 + nameLength + extra + comment;
  }
  return entries;
};

/** The content of an entry, which must have the length declared in the directory. */
const contentOf = async (bytes: Buffer, { method, packed, unpacked, offset }: Entry): Promise<Buffer> => {
  if (offset + 30 > bytes.length || bytes.readUInt32LE(offset) !== localRecord) throw damaged();
  const start = offset + 30 + bytes.readUInt16LE(offset + 26) + bytes.readUInt16LE(offset + 28);
  const stored = bytes.subarray(start, start + packed);
  if (method === 0 && stored.length === unpacked) return stored;
  if (method !== 8) throw damaged();
  try {
    const content = await inflate(stored, { maxOutputLength: Math.max(1, unpacked) });
    if (content.length === unpacked) return content;
  } catch (cause) {
    throw damaged(cause);
  }
  throw damaged();
};

const cellAddress = /<(?:\w+:)?c\s[^>]*?\br="([A-Z]{1,3})(\d{1,7})"/g;

const checkSpan = (sheet: string): void => {
  let [columns, rows] = [0, 0];
  let corner = ['', ''];
  for (const [, letters = '', digits = ''] of sheet.matchAll(cellAddress)) {
    const column = [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
    if (column > columns) [columns, corner] = [column, [letters, corner[1]!]];
    if (Number(digits) > rows) [rows, corner] = [Number(digits), [corner[0]!, digits]];
  }
  if (columns * rows > maxCells)
    throw invalidInput(
      `a sheet reaches to column ${corner[0]!} and row ${corner[1]!}, which is too large: delete what is outside the table, or save it as CSV`,
    );
};

const damaged = (cause?: unknown): TributaryError =>
  invalidInput('the workbook is damaged or truncated: save it again as .xlsx, or as CSV', { cause });
