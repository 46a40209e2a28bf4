/**
 * Picks a form by a number: in the languages here, one or other. Plural rules take as long to create as a whole facet to
 * render.
 */
export const plural = (language: string) => {
  const rules = new Intl.PluralRules(language);
  return (count: number, one: string, other: string): string => (rules.select(count) === 'one' ? one : other);
};

/** The singular of English names and the identifiers of document types: "Specimens" is "Specimen". */
export const singular = (name: string): string =>
  /[^aeiou]ies$/i.test(name) ? `${name.slice(0, -3)}y` : /[^siu]s$/i.test(name) ? name.slice(0, -1) : name;

/** The plural of an English noun. */
export const pluralOf = (name: string): string =>
  /[^aeiou]y$/i.test(name)
    ? `${name.slice(0, -1)}ies`
    : /(s|people|data)$/i.test(name)
      ? name
      : /(x|ch|sh)$/i.test(name)
        ? `${name}es`
        : `${name}s`;

/** A name inside a sentence: "Specimens" is "specimens", "DNA samples" stays. */
export const inText = (name: string): string =>
  /^\p{Lu}\p{Ll}/u.test(name) ? name.charAt(0).toLowerCase() + name.slice(1) : name;

/** A word at the beginning of a sentence. */
export const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
