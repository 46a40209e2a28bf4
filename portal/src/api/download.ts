import type { Catalogue, Column, Sort } from './catalogue.ts';
import { blanksLast, type Question } from './questions.ts';
import { ApiError, getJson, reading, request } from './server.ts';

export type FileType = 'tsv' | 'csv' | 'json';

/** A network's report about a file once it has ended. */
export interface Manifest {
  readonly complete: boolean;
  readonly nodes: readonly {
    readonly nodeId: string;
    readonly name: string;
    readonly rowsComplete: boolean;
    readonly state: string;
  }[];
}

export interface Downloaded {
  readonly blob: Blob;
  readonly fileName: string;
  /** null: the source gives none; an error: the file is there, and what it lacks is not known. */
  readonly manifest: Manifest | null | ApiError;
}

/** What a file is like: the table that it is made from. */
interface Table {
  readonly columns: readonly Column[];
  readonly sort: readonly Sort[];
}

/**
 * The records of a question as a file, in the order of the table.
 * @param onProgress called with the bytes and lines received so far
 * @throws ApiError
 */
export const download = async (
  catalogue: Catalogue,
  { filter, nodes }: Question,
  { columns, sort }: Table,
  fileType: FileType,
  onProgress: (bytes: number, lines: number) => void,
  signal: AbortSignal,
): Promise<Downloaded> => {
  const { path, id } = catalogue.source;
  const fileName = `${id.replaceAll('/', '-')}-${new Date().toISOString().slice(0, 10)}.${fileType === 'json' ? 'ndjson' : fileType}`;
  const named = columns.map(({ path: fieldName, name: displayName, displayValues, own }) => ({
    fieldName,
    displayName,
    displayValues: displayValues ?? catalogue.fields.get(fieldName)?.displayValues ?? {},
    ...(own && { jsonPath: own.jsonPath }),
  }));
  const institution = { fieldName: '_node', displayName: '_node' };
  const all = catalogue.source.kind === 'network' ? [institution, ...named] : named;
  const file = {
    fileName,
    fileType,
    columns: all,
    sort: blanksLast(sort),
    ...(filter === null ? {} : { sqon: filter }),
  };
  const response = await request(`${path}/download`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: '*/*' },
    body: JSON.stringify({ files: [file], ...(nodes === null ? {} : { nodesFilter: nodes }) }),
    signal,
  });
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let [bytes, lines] = [0, 0];
  for await (const part of partsOf(response, signal)) {
    parts.push(part);
    bytes += part.length;
    lines += lineEndsIn(part);
    onProgress(bytes, lines);
  }
  const blob = new Blob(parts, { type: response.headers.get('content-type') ?? 'text/plain' });
  return { blob, fileName, manifest: await manifestOf(path, response.headers.get('tributary-manifest')) };
};

const lineEnd = 10;

const lineEndsIn = (part: Uint8Array): number => {
  let lines = 0;
  for (let at = part.indexOf(lineEnd); at !== -1; at = part.indexOf(lineEnd, at + 1)) lines += 1;
  return lines;
};

async function* partsOf(response: Response, signal: AbortSignal): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const reader = response.body!.getReader();
  for (;;) {
    const { done, value } = await reading(reader.read(), signal);
    if (done) return;
    yield value;
  }
}

const manifestOf = async (path: string, location: string | null): Promise<Downloaded['manifest']> => {
  if (location === null) return null;
  const id = location.split('/').at(-1)!;
  return getJson<Manifest>(`${path}/download/manifest/${encodeURIComponent(id)}`).catch(asApiError);
};

const asApiError = (error: unknown): ApiError => {
  if (error instanceof ApiError) return error;
  throw error;
};

/** Hands a file to the browser. */
export const save = (blob: Blob, fileName: string): void => {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = fileName;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
};
