import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { invalidConfig } from '../../lib/errors/errors.ts';
import { fileReason } from '../../lib/runtime/file-failure.ts';
import { HierarchyBuilder, type LineOf } from './build-hierarchy.ts';
import type { HierarchyData } from './hierarchy.ts';
import { readObo } from './read-obo.ts';
import { readTable } from './read-table.ts';
import { release } from './term-texts.ts';

/** A file with a hierarchy. */
export interface HierarchyFile {
  readonly name: string;
  readonly path: string;
  /** The file's name in messages. */
  readonly file: string;
  /** Relations in addition to `is_a` that make parents, such as `part_of`. */
  readonly relations: readonly string[];
}

/** The maximum size of an unpacked file: the limit for a string in memory. */
const maxBytes = 2 ** 29;

/**
 * Reads a hierarchy from a file in OBO 1.4, a FHIR CodeSystem in JSON, or a table, plain or gzipped. The format is
 * detected by how the file begins, whatever its name.
 * @throws TributaryError CONFIG_INVALID with file, line and term
 */
export const readHierarchy = async ({
  name,
  path,
  file,
  relations,
}: HierarchyFile): Promise<HierarchyData> => {
  const bytes = await textIn(path, file);
  const format = formatOf(file, bytes);
  const builder = new HierarchyBuilder(file, bytes.length, format === 'json' ? lineInJson(bytes) : undefined);
  const wanted = new Set(relations);
  switch (format) {
    case 'obo':
      return builder.build(name, readObo(bytes, wanted, builder));
    case 'json': {
      // without this library the reading thread starts in half the time
      const { readCodeSystem } = await import('./read-code-system.ts');
      return builder.build(name, readCodeSystem(jsonIn(bytes, file), wanted, builder, file));
    }
    case 'table':
      readTable(bytes, wanted, builder, file);
      release(bytes);
      return builder.build(name, null);
  }
};

/**
 * The UTF-8 text of a file, unpacked, without a byte order mark.
 * @throws TributaryError CONFIG_INVALID
 */
export const textIn = async (path: string, file: string): Promise<Buffer<ArrayBuffer>> => {
  const bytes = await unpackedBytes(path).catch((error: unknown) => {
    throw invalidConfig(`${file} cannot be read: ${reasonOf(error)}`, { cause: error });
  });
  if (bytes.length > maxBytes)
    throw invalidConfig(`${file} is too large: at most ${maxBytes} bytes are read`);
  if (!isUtf8(bytes)) throw invalidConfig(`${file} is not UTF-8: convert it`);
  return bytes.subarray(0, 3).equals(byteOrderMark) ? bytes.subarray(3) : bytes;
};

const byteOrderMark = Buffer.from('\uFEFF');

const unpackedBytes = async (path: string): Promise<Buffer<ArrayBuffer>> => {
  const bytes = await readFile(path);
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
  return isPacked ? promisify(gunzip)(bytes, { maxOutputLength: maxBytes }) : bytes;
};

const reasonOf = (error: unknown): string => {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ERR_BUFFER_TOO_LARGE') return `unpacked it has more than ${maxBytes} bytes`;
  return (
    fileReason(error) ??
    (code?.startsWith('Z_') ? 'it is a damaged gzip file' : (code ?? 'no reason is known'))
  );
};

const formatOf = (file: string, bytes: Buffer): 'obo' | 'json' | 'table' => {
  const start = bytes.toString('utf8', 0, 4_096).trimStart();
  if (start.startsWith('{')) return 'json';
  if (/^format-version:|^\[Term\]/m.test(start)) return 'obo';
  const [, extension] = /\.(obo|json)(?:\.gz)?$/i.exec(file) ?? [];
  return extension === undefined ? 'table' : (extension.toLowerCase() as 'obo' | 'json');
};

const jsonIn = (bytes: Buffer, file: string): unknown => {
  try {
    return JSON.parse(bytes.toString());
  } catch (error) {
    throw invalidConfig(`${file} is not JSON`, { cause: error });
  }
};

/** Searched only when needed: parsed JSON has no lines. */
const lineInJson =
  (bytes: Buffer): LineOf =>
  (id, time) => {
    const text = bytes.toString();
    const written = JSON.stringify(id).replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&');
    const match = [...text.matchAll(new RegExp(`"code"\\s*:\\s*${written}`, 'g'))][time];
    return match && text.slice(0, match.index).split('\n').length;
  };
