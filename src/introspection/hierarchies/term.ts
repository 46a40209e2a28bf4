import { Spans, withRoom } from './spans.ts';

/** A term as defined in its file. */
export interface Term {
  readonly id: string;
  /** Empty if it has none. */
  readonly label: string;
  readonly synonyms: readonly string[];
  /** The ids of its parents. */
  readonly parents: readonly string[];
  readonly obsolete: boolean;
  /** The id of the term that replaces an obsolete one. */
  readonly replacedBy: string | null;
  /** Its line in the file, from 1. */
  readonly line?: number;
}

/** A term whose texts are in a buffer. */
export interface TermPlaces extends Pick<Term, 'obsolete' | 'replacedBy' | 'line'> {
  readonly bytes: Uint8Array;
  /** Its id, label and synonyms. */
  readonly texts: Spans;
  /** The ids of its parents. */
  readonly parents: Spans;
}

/** A term, as named in messages. */
export interface Place {
  readonly id: string;
  readonly line?: number | undefined;
}

/** One of its texts. */
export const textIn = ({ bytes, texts: { starts, ends } }: TermPlaces, at: number): string =>
  Buffer.from(bytes.subarray(starts[at], ends[at])).toString();

/** Writes the texts of a term into a buffer that is reused for the next one. */
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
      // a UTF-16 unit takes at most three bytes
      this.#bytes = withRoom(this.#bytes, this.#length, this.#length + 3 * text.length);
      const start = this.#length;
      this.#length += this.#bytes.write(text, start);
      spans.add(start, this.#length);
    }
    return spans;
  }
}
