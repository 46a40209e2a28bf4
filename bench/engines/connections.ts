import { Pool } from 'undici';
import type { JsonValue } from '../../src/lib/json/json.ts';

/** A request as it is sent, to a node or to a search server. */
export interface Sent {
  readonly path: string;
  readonly body: string;
  /** A body of lines instead of one object. */
  readonly lines?: boolean;
}

/** A way to put a question: what is sent, and its answer in the form that all ways share. */
export interface Way<Turn> {
  readonly name: string;
  readonly sent: (turn: Turn) => Sent;
  readonly read: (answer: JsonValue) => JsonValue;
  /** Buys time with more of the server's processors: shown beside the others, but no measure for them. */
  readonly costsMore?: boolean;
}

export interface Answered {
  /** Until the last byte was there. */
  readonly ms: number;
  readonly text: string;
}

/** Connections that are kept open to one address. */
export class Connections {
  readonly #pool: Pool;

  constructor(url: string, connections = 1) {
    this.#pool = new Pool(url, { connections, pipelining: 1 });
  }

  /** @throws Error with the answer when it is not one of success */
  async send({ path, body, lines = false }: Sent): Promise<Answered> {
    const startedMs = performance.now();
    const answer = await this.#pool.request({
      ...{ method: 'POST', path, body },
      headers: { 'content-type': lines ? 'application/x-ndjson' : 'application/json' },
    });
    const text = await answer.body.text();
    const ms = performance.now() - startedMs;
    if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.statusCode} ${text.slice(0, 500)}`);
    return { ms, text };
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}
