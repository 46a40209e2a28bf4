import { Spans, withRoom } from './spans.ts';

/** A term as its file has it. */
export interface Term {
  readonly id: string;
  /** Empty if there is none. */
  readonly label: string;
  readonly synonyms: readonly string[];
  /** The ids of the terms that it stands under. */
  readonly parents: readonly string[];
  readonly obsolete: boolean;
  /** The id of the term to use in place of an obsolete one. */
  readonly replacedBy: string | null;
  /** Where it stands in its file, from 1. */
  readonly line?: number;
}

/** A term whose texts stand in a buffer. */
export interface TermPlaces extends Pick<Term, 'obsolete' | 'replacedBy' | 'line'> {
  readonly bytes: Uint8Array;
  /** Its id, label and synonyms. */
  readonly texts: Spans;
  /** The ids of the terms that it stands under. */
  readonly parents: Spans;
}

/** A term, as messages name it. */
export interface Place {
  readonly id: string;
  readonly line?: number | undefined;
}

/** One of its texts. */
export const textIn = ({ bytes, texts: { starts, ends } }: TermPlaces, at: number): string =>
  Buffer.from(bytes.subarray(starts[at], ends[at])).toString();

/** Writes the texts of a term into a buffer, which the next one uses again. */
export class WrittenTerm {
  #bytes = Buffer.allocUnsafeSlow(1 << 10);
  #length = 0;

  places({ id, label, synonyms, parents, ...rest }: Term): TermPlaces {
    this.#length = 0;
    const texts = this.#spans([id, label, ...synonyms]);
    const above = this.#spans(parents);
    return { ...rest, bytes: this.#bytes, texts, parents: above };
  }

  #spans(texts: readonly string[]): Spans {
    const spans = new Spans();
    for (const text of texts) {
      // of a UTF-16 unit at most three bytes
      this.#bytes = withRoom(this.#bytes, this.#length, this.#length + 3 * text.length);
      const start = this.#length;
      this.#length += this.#bytes.write(text, start);
      spans.add(start, this.#length);
    }
    return spans;
  }
}
