import type { ImportReport, ImportRequest } from '../../../src/indexing/file-import/import-file.ts';
import type { Reject, RejectsFile } from '../../../src/indexing/file-import/rejects-file.ts';
import type { Trial } from '../../../src/indexing/file-import/try-import.ts';
import { importFile } from '../../../src/indexing/file-import/import-file.ts';
import { tryImport } from '../../../src/indexing/file-import/try-import.ts';
import { existingIndex } from '../../../src/indexing/index-target.ts';
import type { JsonObject } from '../../../src/lib/json/json.ts';
import type { MemoryEngine } from '../memory-engine.ts';
import { memoryEngine } from '../memory-engine.ts';
import { chunksOf } from './collect.ts';

export interface Loaded {
  readonly trial: Trial;
  readonly report: ImportReport;
  readonly rejects: readonly Reject[];
  readonly documents: Readonly<Record<string, JsonObject>>;
  readonly types: Readonly<Record<string, string | undefined>>;
}

/** A dry run, then the load, which must agree. */
export const load = async (
  text: string | Buffer,
  request: Partial<ImportRequest> = {},
  memory: MemoryEngine = memoryEngine(),
): Promise<Loaded> => {
  const rejects: Reject[] = [];
  const file: RejectsFile = {
    path: 'rejects',
    count: () => rejects.length,
    add: async (reject) => void rejects.push(reject),
    clear: async () => void rejects.splice(0),
    close: () => Promise.resolve(),
  };
  const base = {
    format: 'csv',
    name: 'ships',
    aliases: [],
    mapping: null,
    idField: undefined,
    replace: false,
    mayBeEmpty: false,
  } as const;
  const chunks = () => chunksOf(text, 30_000);
  const existing = await existingIndex(memory.engine, 'ships');
  const trial = await tryImport({ ...base, chunks: chunks(), ...request }, existing);
  const report = await importFile(memory.engine, { ...base, chunks: chunks(), ...request }, file);
  const { rejected } = report.counts;
  if (trial.documents !== report.counts.created + report.counts.updated || trial.rejected !== rejected)
    throw new Error('the dry run counts otherwise');
  const properties = (report.mapping as { properties: Record<string, { type?: string }> }).properties;
  return {
    trial,
    report,
    rejects,
    documents: Object.fromEntries(memory.indices.get(report.index)?.documents ?? []),
    types: Object.fromEntries(Object.entries(properties).map(([name, { type }]) => [name, type])),
  };
};
