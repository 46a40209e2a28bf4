import type { GraphqlAnswer } from '../remote/graphql-over-http.ts';

export interface SchemaWatchSettings {
  /** Discovers the node again; false: it did not answer. */
  readonly recheck: () => Promise<boolean>;
  /** Between two rechecks, in milliseconds: servers behind one address may differ. */
  readonly minIntervalMs: number;
  /**
   * Whether the node may have offered less at its discovery than at its first answer: a network that started at the same
   * time as this one did not know all of its nodes.
   */
  readonly mayHaveGrown: () => boolean;
}

/**
 * Rechecks a node whose answers show that it offers something else than before: our own nodes report the fingerprint of
 * what can be queried, and any node refuses what it no longer has.
 */
export class SchemaWatch {
  readonly #settings: SchemaWatchSettings;
  #known: string | null = null;
  #notBeforeMs = 0;

  constructor(settings: SchemaWatchSettings) {
    this.#settings = settings;
  }

  /** Reads an answer of the node; a recheck runs in the background. */
  onAnswer(answer: GraphqlAnswer): void {
    const { schema = this.#known } = answer;
    const isFirst = this.#known === null;
    const isChanged = isFirst ? schema !== null && this.#settings.mayHaveGrown() : schema !== this.#known;
    if (isFirst) this.#known = schema;
    if ((!isChanged && !isInvalid(answer)) || performance.now() < this.#notBeforeMs) return;
    this.#notBeforeMs = performance.now() + this.#settings.minIntervalMs;
    void this.#settings.recheck().then((isDiscovered) => {
      if (isDiscovered) this.#known = schema;
    });
  }
}

/** The query was made for another schema, or is too large for this one. */
const isInvalid = ({ errors = [] }: GraphqlAnswer): boolean =>
  errors.some(({ extensions }) => extensions?.['code'] === 'GRAPHQL_VALIDATION_FAILED');
