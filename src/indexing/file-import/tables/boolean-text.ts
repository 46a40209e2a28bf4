const words: ReadonlyMap<string, boolean> = new Map([
  ...['true', 'yes', 'y', 'ja', 'j', 'wahr', 'oui', 'o', 'vrai', '1'].map((word) => [word, true] as const),
  ...['false', 'no', 'n', 'nein', 'falsch', 'non', 'faux', '0'].map((word) => [word, false] as const),
]);

/** What a word says as a boolean, in English, German or French and in any case; undefined when it is none. */
export const booleanWord = (text: string): boolean | undefined => words.get(text.toLowerCase());
