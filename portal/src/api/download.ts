import type { Catalogue, Column, Sort } from './catalogue.ts';
import { fileNameOf } from '../frame/file-name.ts';
import type { Field } from './fields.ts';
import { blanksLast, type Question } from './questions.ts';
import { reading, request } from './server.ts';

export type FileType = 'tsv' | 'csv' | 'json';

/** What a network knows of a file before it is made. */
export interface Plan {
  readonly nodes: readonly {
    readonly nodeId: string;
    readonly name: string;
    readonly state: string;
    /** Why not all of its records will be in the file; null: nothing is known to be missing. */
    readonly stopped: string | null;
  }[];
  readonly question: { readonly files: readonly { readonly maxRows?: number | null }[] };
  /** null: only reading the records shows whether a limit leaves some out. */
  readonly files: readonly { readonly isTruncated: boolean | null }[];
}

export interface Downloaded {
  readonly blob: Blob;
  readonly fileName: string;
}

/** What a file is like: the table that it is made from. */
interface Table {
  readonly columns: readonly Column[];
  readonly sort: readonly Sort[];
}

/** Asks a network who will answer, and what a file will lack. @throws ApiError */
export const planDownload = async (
  catalogue: Catalogue,
  { filter, nodes }: Question,
  table: Table,
  signal: AbortSignal,
): Promise<Plan> => {
  const response = await post(
    `${catalogue.source.path}/download?manifest`,
    { files: [{ ...fileOf(catalogue, filter, table), fileType: 'tsv' }], ...only(nodes) },
    signal,
  );
  return (await reading(response.json(), signal)) as Plan;
};

/**
 * The records of a question as a file, in the order of the table. With a plan, it has the records of the institutions
 * that answered it, or the download fails: a file never has less than was announced.
 * @param onProgress called with the bytes and lines received so far
 * @throws ApiError
 */
export const download = async (
  catalogue: Catalogue,
  { filter, nodes }: Question,
  { fileType, plan, ...table }: Table & { readonly fileType: FileType; readonly plan: Plan | null },
  onProgress: (bytes: number, lines: number) => void,
  signal: AbortSignal,
): Promise<Downloaded> => {
  const { path } = catalogue.source;
  const fileName = fileNameOf(catalogue.source, '', fileType === 'json' ? 'ndjson' : fileType);
  const file = { ...fileOf(catalogue, filter, table), fileName, fileType };
  const from = plan === null ? only(nodes) : { ...only(answering(plan, nodes)), onFailure: 'abort' };
  const response = await post(`${path}/download`, { files: [file], ...from }, signal);
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let [bytes, lines] = [0, 0];
  for await (const part of partsOf(response, signal)) {
    parts.push(part);
    bytes += part.length;
    lines += lineEndsIn(part);
    onProgress(bytes, lines);
  }
  const blob = new Blob(parts, { type: response.headers.get('content-type') ?? 'text/plain' });
  return { blob, fileName };
};

const post = (path: string, body: object, signal: AbortSignal): Promise<Response> =>
  request(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: '*/*' },
    body: JSON.stringify(body),
    signal,
  });

const only = (nodes: readonly string[] | null) => (nodes === null ? {} : { nodesFilter: nodes });

const answering = (plan: Plan, nodes: readonly string[] | null): readonly string[] => {
  const states = new Map(plan.nodes.map(({ nodeId, state }) => [nodeId, state]));
  return (nodes ?? [...states.keys()]).filter((nodeId) => (states.get(nodeId) ?? 'ok') === 'ok');
};

const fileOf = (catalogue: Catalogue, filter: Question['filter'], { columns, sort }: Table) => {
  const named = columns.flatMap((column) => columnsOf(column, catalogue.fields.get(column.path)));
  const institution = { fieldName: '_node', displayName: '_node' };
  return {
    columns: catalogue.source.kind === 'network' ? [institution, ...named] : named,
    sort: blanksLast(sort),
    ...(filter === null ? {} : { sqon: filter }),
  };
};

/** Codes stay codes: what they mean is in a column beside them. */
const columnsOf = (
  { path: fieldName, name: displayName, displayValues, own }: Column,
  field: Field | undefined,
) => {
  const texts = displayValues ?? field?.displayValues ?? {};
  const codes = { fieldName, displayName, ...(own && { jsonPath: own.jsonPath }) };
  const isCoded = Object.keys(texts).length > 0 || field?.hierarchy !== undefined;
  return isCoded
    ? [codes, { ...codes, displayName: `${displayName} (label)`, displayValues: texts }]
    : [codes];
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

/** Hands a file to the browser. */
export const save = (blob: Blob, fileName: string): void => {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = fileName;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
};
