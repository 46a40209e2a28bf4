import { LRUCache } from 'lru-cache';
import type { JsonObject } from '../../../json/json.ts';
import type { DocumentSource } from '../query/search.ts';
import { parseStored } from '../store/store-file.ts';
import type { DocumentStore } from '../store/store.ts';

/** The size limit for parsed documents, in characters of their text. */
const parsedDocumentsLimit = 32_000_000;

/** Caches a store's parsed documents; document numbers are never reused. */
export class DocumentCache implements DocumentSource {
  readonly #store: DocumentStore;
  readonly #parsed = new LRUCache<number, JsonObject>({ maxSize: parsedDocumentsLimit });

  constructor(store: DocumentStore) {
    this.#store = store;
  }

  text(number: number): string {
    return this.#store.text(number);
  }

  document(number: number): JsonObject {
    const known = this.#parsed.get(number);
    if (known !== undefined) return known;
    const text = this.text(number);
    const document = parseStored(text);
    this.#parsed.set(number, document, { size: text.length });
    return document;
  }

  documentOnce(number: number): JsonObject {
    return this.#parsed.peek(number) ?? parseStored(this.text(number));
  }
}
