import { createHash } from 'node:crypto';
import type { JsonValue } from '../../src/json.ts';
import { median } from '../engine/median.ts';
import type { Connections, Way } from './ask.ts';
import type { Question } from './questions.ts';
import type { Selection } from './selections.ts';

/** One connection each. */
export interface Sides {
  /** The node whose documents the search server holds. */
  readonly node: Connections;
  readonly server: Connections;
  /** The node with the embedded engine. */
  readonly embedded: Connections;
}

/** Medians in milliseconds, and the quickest body. */
export interface Latency {
  readonly node: number;
  readonly server: number;
  readonly embedded: number;
  readonly body: Way<Selection>;
}

const warmTurns = 60;
const turns = 60;
const triedTurns = 16;

/**
 * Puts a question to all three in turns, each time under a filter that came from nobody before, and compares all
 * answers: what one side was asked under the clock, another one is asked afterwards.
 * @param next gives such a filter
 * @throws Error when two answers differ
 */
export const measureLatency = async (
  question: Question,
  sides: Sides,
  next: () => Selection,
): Promise<Latency> => {
  const body = await quickest(question, sides.server, next);
  const asked = [
    { side: 'node', connection: sides.node, way: question.node, check: 'embedded' },
    { side: 'server', connection: sides.server, way: body, check: 'embedded' },
    { side: 'embedded', connection: sides.embedded, way: question.node, check: 'server' },
  ] as const;
  const times = { node: [] as number[], server: [] as number[], embedded: [] as number[] };
  for (let turn = -warmTurns; turn < turns; turn++) {
    for (let place = 0; place < asked.length; place++) {
      const { side, connection, way, check } = asked[(turn + warmTurns + place) % asked.length]!;
      const selection = next();
      const { ms, text } = await connection.ask(way.sent(selection));
      if (turn < 0) continue;
      times[side].push(ms);
      const other = check === 'server' ? body : question.node;
      const { text: expected } = await sides[check].ask(other.sent(selection));
      if (hashOf(way, text) !== hashOf(other, expected)) throw differing(question, selection, way, text, other, expected); // prettier-ignore
    }
  }
  return {
    ...{ node: median(times.node), server: median(times.server), embedded: median(times.embedded) },
    body,
  };
};

/** The quickest body at the median, after some turns to warm up. */
const quickest = async (
  question: Question,
  server: Connections,
  next: () => Selection,
): Promise<Way<Selection>> => {
  const times = question.bodies.map((): number[] => []);
  for (let turn = -triedTurns; turn < triedTurns; turn++) {
    for (const [at, body] of question.bodies.entries()) {
      const { ms } = await server.ask(body.sent(next()));
      if (turn >= 0) times[at]!.push(ms);
    }
  }
  const medians = times.map(median);
  return question.bodies[medians.indexOf(Math.min(...medians))]!;
};

const hashOf = (way: Way<Selection>, text: string): string =>
  createHash('sha256')
    .update(JSON.stringify(way.read(JSON.parse(text) as JsonValue)))
    .digest('hex');

const differing = (
  { name }: Question,
  selection: Selection,
  way: Way<Selection>,
  text: string,
  other: Way<Selection>,
  expected: string,
): Error =>
  new Error(
    `the answers to "${name}" differ under ${JSON.stringify(selection)}:\n` +
      [way.read(JSON.parse(text) as JsonValue), other.read(JSON.parse(expected) as JsonValue)]
        .map((answer) => JSON.stringify(answer).slice(0, 2_000))
        .join('\n'),
  );
