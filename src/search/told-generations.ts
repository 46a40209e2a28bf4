import type { Catalogue } from './catalogue.ts';

/** Those whose searches report the generation of their data. */
const telling = new WeakSet<Catalogue>();

/** Whether the searches of a catalogue report its generation, which then need not be requested before them. */
export const tellsGeneration = (catalogue: Catalogue): boolean => telling.has(catalogue);

/** @param told what a search of it reported; null: nothing */
export const noteTold = (catalogue: Catalogue, told: string | null): void => {
  if (told === null) telling.delete(catalogue);
  else telling.add(catalogue);
};
