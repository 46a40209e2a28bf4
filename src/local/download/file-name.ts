const maxNameLength = 150;

/**
 * Makes a file name valid on every system: no folders, no invisible or reserved characters, not hidden, at most 150
 * characters.
 * @returns the fallback when nothing is left
 */
export const fileName = (asked: string | null, fallback: string): string => {
  const name = (asked ?? '')
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '')
    .replace(/[/\\:*?"<>|]/g, '_')
    .trim()
    .replace(/^\.+|[. ]+$/g, '');
  return [...name].slice(0, maxNameLength).join('') || fallback;
};

/** The names with duplicates (ignoring case) numbered before the extension: a.tsv, a-2.tsv. */
export const distinctFileNames = (names: readonly string[]): readonly string[] => {
  const wanted = new Set(names.map((name) => name.toLowerCase()));
  const given = new Set<string>();
  return names.map((name) => {
    let distinct = name;
    for (let number = 2; given.has(distinct.toLowerCase()); number++) {
      const numbered = name.replace(/(\.[^.]*)?$/, `-${number}$1`);
      if (!wanted.has(numbered.toLowerCase())) distinct = numbered;
    }
    given.add(distinct.toLowerCase());
    return distinct;
  });
};
