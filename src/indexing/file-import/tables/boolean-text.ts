const words: ReadonlyMap<string, boolean> = new Map([
  ...['true', 'yes', 'y', 'ja', 'j', 'wahr', 'oui', 'o', 'vrai', '1'].map((word) => [word, true] as const),
  ...['false', 'no', 'n', 'nein', 'falsch', 'non', 'faux', '0'].map((word) => [word, false] as const),
]);

/** The boolean that a word means in English, German or French, ignoring case; undefined if none. */
export const booleanWord = (text: string): boolean | undefined => words.get(text.toLowerCase());
