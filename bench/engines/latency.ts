import { createHash } from 'node:crypto';
import type { Engine } from '../../src/engines/engine.ts';
import type { JsonValue } from '../../src/lib/json/json.ts';
import { median, percentile } from '../engine/median.ts';
import type { Connections, Way } from './connections.ts';
import { index } from './loaded.ts';
import type { Question } from './questions.ts';
import type { Selection } from './selections.ts';
import { sized } from '../size.ts';

/** What is queried. */
export interface Sides {
  /** The node whose documents the search server holds. */
  readonly node: Connections;
  readonly server: Connections;
  /** The node with the embedded engine. */
  readonly embedded: Connections;
  /** The embedded engine itself, in this process. */
  readonly port: Engine;
}

type Name = keyof Sides;

/** In milliseconds. */
export type Times = Readonly<Record<Name, number>>;

export interface Latency {
  readonly median: Times;
  /** A tenth of the answers came in less: what is left when other work on the machine does not show. */
  readonly quickTenth: Times;
  readonly body: Way<Selection>;
  /** What each body took when they were tried. */
  readonly tried: readonly { readonly name: string; readonly ms: number }[];
}

/** Queries under a filter: how long the answer took, and the answer in the form that all share. */
type Sender = (selection: Selection) => Promise<{ readonly ms: number; readonly answer: () => JsonValue }>;

/** How many queries each side answers one after the other before the next side runs, as a client sends them. */
const inARow = sized(10, 1);
const warmRounds = sized(6, 1);
const rounds = sized(8, 1);
const triedTurns = 2;

/** Who answers the same again, outside of the clock, to compare: always another engine. */
const checks: Readonly<Record<Name, Name>> = {
  node: 'embedded',
  server: 'embedded',
  embedded: 'server',
  port: 'server',
};
const names = Object.keys(checks) as readonly Name[];

/**
 * Sends a query to all, alternating, each time under a new filter, and compares all answers.
 * @param next makes such a filter
 * @throws Error when two answers differ
 */
export const measureLatency = async (
  question: Question,
  sides: Sides,
  next: () => Selection,
): Promise<Latency> => {
  const { body, tried } = await quickest(question, sides.server, next);
  const senders: Readonly<Record<Name, Sender>> = {
    node: over(sides.node, question.node),
    server: over(sides.server, body),
    embedded: over(sides.embedded, question.node),
    port: throughPort(sides.port, question),
  };
  const times: Readonly<Record<Name, number[]>> = { node: [], server: [], embedded: [], port: [] };
  for (let round = 0; round < warmRounds + rounds; round++) {
    for (let index = 0; index < names.length; index++) {
      const name = names[(round + index) % names.length]!;
      const measured = await sendInARow(senders[name], next);
      if (round < warmRounds) continue;
      times[name].push(...measured.map(({ ms }) => ms));
      for (const { selection, answer } of measured) {
        const expected = (await senders[checks[name]](selection)).answer();
        if (hashOf(answer()) !== hashOf(expected)) throw differing(question, selection, [answer(), expected]);
      }
    }
  }
  return { median: ofEach(times, median), quickTenth: ofEach(times, quickTenth), body, tried };
};

const sendInARow = async (
  send: Sender,
  next: () => Selection,
): Promise<readonly (Awaited<ReturnType<Sender>> & { readonly selection: Selection })[]> => {
  const measured = [];
  for (let number = 0; number < inARow; number++) {
    const selection = next();
    measured.push({ selection, ...(await send(selection)) });
  }
  return measured;
};

const quickTenth = (values: readonly number[]): number => percentile(values, 0.1);

const ofEach = (
  times: Readonly<Record<Name, readonly number[]>>,
  value: (values: readonly number[]) => number,
): Times => ({
  ...{ node: value(times.node), server: value(times.server) },
  ...{ embedded: value(times.embedded), port: value(times.port) },
});

const over =
  (connection: Connections, way: Way<Selection>): Sender =>
  async (selection) => {
    const { ms, text } = await connection.send(way.sent(selection));
    return { ms, answer: () => way.read(JSON.parse(text) as JsonValue) };
  };

const throughPort =
  (engine: Engine, { port }: Question): Sender =>
  async (selection) => {
    const query = port.query(selection);
    const startedMs = performance.now();
    const result = await engine.search(index, query);
    return { ms: performance.now() - startedMs, answer: () => port.read(result) };
  };

/** The quickest body at the median among those that cost the server no more, after some rounds to warm up. */
const quickest = async (
  question: Question,
  server: Connections,
  next: () => Selection,
): Promise<Pick<Latency, 'body' | 'tried'>> => {
  const times = question.bodies.map((): number[] => []);
  for (let round = -triedTurns; round < triedTurns; round++) {
    for (const [at, body] of question.bodies.entries()) {
      const measured = await sendInARow(over(server, body), next);
      if (round >= 0) times[at]!.push(...measured.map(({ ms }) => ms));
    }
  }
  const tried = question.bodies.map((body, at) => ({ body, name: body.name, ms: median(times[at]!) }));
  const measures = tried.filter(({ body }) => body.costsMore !== true);
  return { body: measures.reduce((best, one) => (one.ms < best.ms ? one : best)).body, tried };
};

const hashOf = (answer: JsonValue): string =>
  createHash('sha256').update(JSON.stringify(answer)).digest('hex');

const differing = ({ name }: Question, selection: Selection, answers: readonly JsonValue[]): Error =>
  new Error(
    `the answers to "${name}" differ under ${JSON.stringify(selection)}:\n` +
      answers.map((answer) => JSON.stringify(answer).slice(0, 2_000)).join('\n'),
  );
