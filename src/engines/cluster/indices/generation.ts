import { hash } from 'node:crypto';
import { isJsonObject, type JsonObject } from '../../../json/json.ts';
import { numberIn, objectIn } from '../client/answer.ts';
import type { ClusterClient } from '../client/client.ts';

/** Equal names may hide what became visible within this time: asking for each search would cost as much as searching. */
const keptMs = 1_000;
/** How long a server that gives none, perhaps for lack of a privilege, is not asked again. */
const silentMs = 60_000;

interface Known {
  readonly name: Promise<string | null>;
  untilMs: number;
}

/**
 * Names the data of an index or alias as searches see it: by the last sequence number of each shard, and by how often
 * the shard was refreshed, as a write shows with the next refresh only; and by what decides beside the data what is
 * found: an alias's filter and routing, and fields that the server computes. Kept for a second.
 * @param nowMs the clock, in milliseconds
 * @returns null where the server does not say; never rejects
 */
export const indexGenerations = (
  connect: () => Promise<ClusterClient>,
  nowMs: () => number = () => performance.now(),
): ((index: string) => Promise<string | null>) => {
  const known = new Map<string, Known>();
  return (index) => {
    const found = known.get(index);
    if (found && nowMs() < found.untilMs) return found.name;
    // before it is sent: what becomes visible in the meantime belongs to the next name
    const asked: Known = { name: askGeneration(connect, index), untilMs: nowMs() + keptMs };
    known.set(index, asked);
    void asked.name.then((name) => {
      if (name === null) asked.untilMs = nowMs() + silentMs;
    });
    return asked.name;
  };
};

const shown = [
  'indices.*.uuid',
  'indices.*.shards.*.routing.node',
  'indices.*.shards.*.seq_no.max_seq_no',
  'indices.*.shards.*.refresh',
];

/** With what it takes to describe an index, so that whoever has a catalogue may ask this. */
const defined = ['*.aliases', '*.mappings.runtime', '*.mappings.derived'];

const askGeneration = async (
  connect: () => Promise<ClusterClient>,
  index: string,
): Promise<string | null> => {
  try {
    const client = await connect();
    const ask = async (
      path: string,
      what: string,
      query: Record<string, string>,
    ): Promise<JsonObject | null> => {
      const { status, body } = await client.send(
        { method: 'GET', path: `/${encodeURIComponent(index)}${path}`, query },
        { repeatable: true, once: true, timeoutMs: keptMs, what: `the ${what} of ${index}` },
      );
      return status === 200 && isJsonObject(body) ? body : null;
    };
    const [statistics, definitions] = await Promise.all([
      ask('/_stats/refresh', 'statistics', { level: 'shards', filter_path: shown.join(',') }),
      ask('', 'aliases', { filter_path: defined.join(',') }),
    ]);
    return statistics && definitions && generationIn(statistics, definitionsIn(definitions));
  } catch {
    // answers without a name are as good, they are only sent whole
    return null;
  }
};

/** Null unless every shard says what it holds. */
const generationIn = (statistics: JsonObject, definitions: readonly string[]): string | null => {
  const copies = Object.entries(objectIn(statistics, 'indices')).flatMap(([name, index]) =>
    isJsonObject(index) ? copiesOf(name, index) : [null],
  );
  if (copies.length === 0 || copies.includes(null)) return null;
  return hash('sha256', [...copies.sort(), ...definitions].join('\n')).slice(0, 32);
};

/** What each index says of its aliases, since a name may stand for several, and of its computed fields; in one order. */
const definitionsIn = (indexes: JsonObject): readonly string[] =>
  Object.entries(indexes)
    .flatMap(([name, body]) => {
      if (!isJsonObject(body)) return [];
      const mapping = objectIn(body, 'mappings');
      const said = [objectIn(body, 'aliases'), objectIn(mapping, 'runtime'), objectIn(mapping, 'derived')];
      return said.flatMap((one, kind) =>
        Object.entries(one).map((entry) => JSON.stringify([name, kind, entry])),
      );
    })
    .sort();

const copiesOf = (name: string, index: JsonObject): readonly (string | null)[] =>
  Object.entries(objectIn(index, 'shards')).flatMap(([shard, copies]) =>
    (Array.isArray(copies) ? copies : []).map((copy: unknown) => {
      if (!isJsonObject(copy)) return null;
      const [written, refresh] = [objectIn(copy, 'seq_no'), objectIn(copy, 'refresh')];
      if (!('max_seq_no' in written) || !('total' in refresh)) return null;
      const refreshed = ['external_total', 'total'].map((count) => numberIn(refresh, count));
      const { node = '' } = objectIn(copy, 'routing');
      return JSON.stringify([name, index['uuid'], shard, node, written['max_seq_no'], ...refreshed]);
    }),
  );
