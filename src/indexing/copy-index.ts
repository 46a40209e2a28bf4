import type { Engine, IndexDescription } from '../engines/engine.ts';
import { TributaryError } from '../errors/errors.ts';
import type { JsonObject } from '../json/json.ts';
import type { CopyCheckpoint, CopyState } from './copy-checkpoint.ts';
import { copyDocuments } from './copy-documents.ts';
import { addAliases, describeIfThere, isReplacement, replacementName, takeName } from './index-target.ts';
import type { MappingBody } from './mapping-body.ts';

export interface CopyRequest {
  /** An index or alias at the source; afterwards an alias at the target. */
  readonly name: string;
  /** Creates the target index, in place of the source's mapping. */
  readonly body: MappingBody | null;
  /** What to do when the name exists at the target, or a copy was interrupted. */
  readonly mode: 'refuse' | 'resume' | 'replace';
}

export interface CopyProgress {
  /** Documents of this run that were new at the target, and that replaced others. */
  readonly created: number;
  readonly updated: number;
  /** Documents written, including those of previous runs. */
  readonly documents: number;
  /** Documents at the source when the copy began. */
  readonly total: number;
}

export interface CopyReport {
  /** The index that was filled; null when an earlier copy had completed it. */
  readonly index: string | null;
  /** Counted in both. */
  readonly documents: number;
  /** How many documents earlier runs had written. */
  readonly resumedAt: number;
}

/**
 * Copies an index with its mapping and aliases from one engine to another, or within one. The target index is filled
 * under a temporary name and gets the real one when it has as many documents as the source; until then it is not
 * visible.
 * @param checkpoint where an interrupted copy resumes
 * @throws TributaryError CONFLICT a name exists at the target, or the final counts differ; INPUT_INVALID a refused
 *   document; errors of the engines
 */
export const copyIndex = async (
  source: Engine,
  target: Engine,
  request: CopyRequest,
  checkpoint: CopyCheckpoint,
  onProgress: (progress: CopyProgress) => void = () => undefined,
): Promise<CopyReport> => {
  const { name } = request;
  const from = await source.describe(name);
  const begun = await begin(target, request, from, checkpoint);
  if (begun === null) return { index: null, documents: from.documents, resumedAt: 0 };
  await writeAll(source, target, begun, checkpoint, from.documents, onProgress);
  const documents = await sameCount(source, target, begun, checkpoint);
  await takeName(target, name, begun.index, await describeIfThere(target, name));
  await addAliases(target, aliasesOf(from, request), begun.index);
  checkpoint.remove();
  return { index: begun.index, documents, resumedAt: begun.documents };
};

/** The name for a copy of this index: its own, or the alias that an earlier copy or replacement filled it for. */
export const copiedName = (index: string, aliases: readonly string[]): string =>
  aliases.find((alias) => isReplacement(index, alias)) ?? index;

/** null when nothing is left to do. */
const begin = async (
  target: Engine,
  request: CopyRequest,
  from: IndexDescription,
  checkpoint: CopyCheckpoint,
): Promise<CopyState | null> => {
  const { name, mode } = request;
  const source = onlyIndex(from, name);
  const cut = checkpoint.read();
  const existing = await describeIfThere(target, name);
  if (mode === 'resume') {
    if (cut !== null) return goOn(target, request, cut, from, existing);
    if (existing !== null && existing.documents === from.documents) return null;
  } else if (cut !== null && mode === 'refuse') throw wasCut(name, cut);
  if (existing !== null && mode !== 'replace') throw isThere(name, existing, mode);
  await rejectIndexesOfAliasNames(target, aliasesOf(from, request));
  if (cut !== null && cut.index !== existing?.indices[0])
    await target.manage({ kind: 'delete', index: cut.index });
  const index = replacementName(name);
  const state: CopyState = { source, index, replace: mode === 'replace', cursor: null, documents: 0 };
  // before creating the index, so that none is ever orphaned
  checkpoint.write(state);
  try {
    await target.manage({ kind: 'create', index, ...bodyOf(request, from) });
  } catch (error) {
    await target.manage({ kind: 'delete', index });
    checkpoint.remove();
    throw error;
  }
  return state;
};

const onlyIndex = ({ indices }: IndexDescription, name: string): string => {
  const [index, second] = indices;
  if (index !== undefined && second === undefined) return index;
  throw new TributaryError('CONFLICT', `${name} is an alias of several indexes (${indices.join(', ')}): copy them one by one`); // prettier-ignore
};

const goOn = async (
  target: Engine,
  request: CopyRequest,
  cut: CopyState,
  from: IndexDescription,
  existing: IndexDescription | null,
): Promise<CopyState> => {
  const { name } = request;
  const source = onlyIndex(from, name);
  if (cut.source !== source)
    throw new TributaryError('CONFLICT', `the interrupted copy of ${name} was from ${cut.source}, not from ${source}: --replace starts over`); // prettier-ignore
  if (existing !== null && !existing.indices.includes(cut.index) && !cut.replace)
    throw isThere(name, existing, 'refuse');
  if ((await describeIfThere(target, cut.index)) !== null) return cut;
  if (cut.cursor !== null)
    throw new TributaryError('CONFLICT', `the index ${cut.index} of the interrupted copy does not exist: --replace starts over`); // prettier-ignore
  await target.manage({ kind: 'create', index: cut.index, ...bodyOf(request, from) });
  return cut;
};

const wasCut = (name: string, { documents }: CopyState): TributaryError =>
  new TributaryError('CONFLICT', `a copy of ${name} was interrupted after ${documents} documents: --resume continues it, --replace starts over`); // prettier-ignore

const isThere = (name: string, { documents }: IndexDescription, mode: CopyRequest['mode']): TributaryError =>
  new TributaryError(
    'CONFLICT',
    `the target has ${name} already, with ${documents} documents` +
      (mode === 'resume' ? ', and no copy of it was interrupted' : '') +
      ': --replace lets the copy take its place when it is complete',
  );

/** An alias cannot have the name of an index; report it before copying everything, not after. */
const rejectIndexesOfAliasNames = async (target: Engine, aliases: readonly string[]): Promise<void> => {
  for (const alias of aliases) {
    const there = await describeIfThere(target, alias);
    if (there?.indices.includes(alias) === true)
      throw new TributaryError('CONFLICT', `the alias ${alias} cannot be carried over: the target has an index of that name`); // prettier-ignore
  }
};

const aliasesOf = (from: IndexDescription, { name, body }: CopyRequest): readonly string[] =>
  [...new Set([...from.aliases, ...(body?.aliases ?? [])])].filter((alias) => alias !== name);

/** Settings that both products support in all versions; indexes of the embedded engine have none of them. */
const portable: ReadonlySet<string> = new Set([
  ...[
    'analysis',
    'similarity',
    'mapping',
    'sort',
    'number_of_shards',
    'number_of_replicas',
    'refresh_interval',
  ],
  ...['max_result_window', 'max_ngram_diff', 'max_shingle_diff', 'max_terms_count'],
]);

const bodyOf = (
  { body }: CopyRequest,
  { properties, dynamic, dynamicRules, settings = {} }: IndexDescription,
): { readonly mapping: JsonObject; readonly settings?: JsonObject } => {
  if (body !== null) return { mapping: body.mapping, ...(body.settings && { settings: body.settings }) };
  const kept = Object.entries(settings).filter(([name]) => portable.has(name.split('.')[0]!));
  return {
    mapping: { ...dynamicRules, ...(dynamic !== undefined && { dynamic }), properties },
    ...(kept.length > 0 && { settings: Object.fromEntries(kept) }),
  };
};

/** How often the state is saved; documents written after that are copied again on resume. */
const checkpointMs = 500;

const writeAll = async (
  source: Engine,
  target: Engine,
  begun: CopyState,
  checkpoint: CopyCheckpoint,
  total: number,
  onProgress: (progress: CopyProgress) => void,
): Promise<void> => {
  let state = begun;
  let saved = begun;
  let savedAtMs = -Infinity;
  let progress: CopyProgress = { created: 0, updated: 0, documents: begun.documents, total };
  const save = (): void => {
    if (saved === state) return;
    checkpoint.write(state);
    saved = state;
    savedAtMs = performance.now();
  };
  try {
    const steps = copyDocuments(
      { engine: source, index: begun.source },
      { engine: target, index: begun.index },
      begun.cursor,
    );
    for await (const { cursor, created, updated } of steps) {
      state = { ...state, cursor, documents: state.documents + created + updated };
      if (performance.now() - savedAtMs >= checkpointMs) save();
      progress = {
        ...{ created: progress.created + created, updated: progress.updated + updated },
        ...{ documents: state.documents, total },
      };
      onProgress(progress);
    }
  } finally {
    save();
  }
};

/** @throws TributaryError CONFLICT; resuming then reads everything again, which finds what is missing */
const sameCount = async (
  source: Engine,
  target: Engine,
  begun: CopyState,
  checkpoint: CopyCheckpoint,
): Promise<number> => {
  const [from, to] = [await source.describe(begun.source), await target.describe(begun.index)];
  if (from.documents === to.documents) return to.documents;
  checkpoint.write({ ...begun, cursor: null, documents: 0 });
  throw new TributaryError(
    'CONFLICT',
    `the source has ${from.documents} documents, the copy ${to.documents}: the source was written to in the meantime, and the copy ` +
      `is not served under any name; --resume reads everything again and adds what is missing, --replace starts over`,
  );
};
