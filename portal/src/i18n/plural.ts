/** Picks a form by a number: in the languages here, one or other. Rules take as long to make as a whole facet to draw. */
export const plural = (language: string) => {
  const rules = new Intl.PluralRules(language);
  return (count: number, one: string, other: string): string => (rules.select(count) === 'one' ? one : other);
};
