/** Picks a form by a number: in the languages here, one or other. */
export const plural =
  (language: string) =>
  (count: number, one: string, other: string): string =>
    new Intl.PluralRules(language).select(count) === 'one' ? one : other;
