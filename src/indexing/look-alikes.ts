import type { Engine } from '../engines/engine.ts';
import type { TermsBucket } from '../engines/measure.ts';
import { withoutOrigin } from '../introspection/fields/field.ts';
import { readFields } from '../introspection/mapping/mapping.ts';
import { all } from '../sqon/filter.ts';
import { escapedText, firstOf } from '../lib/text/escaped-text.ts';
import { countOf } from '../lib/text/plural.ts';

/** Lists longer than this are texts or identifiers, not values to choose from. */
const maxValues = 1_000;
const maxListed = 5;

/**
 * The values of each keyword field that look the same and are not, as messages: they differ by blanks, invisible
 * characters, the form of an accent, or letters of another script, so each has a line of its own in a facet.
 * @param index its name, or an alias
 * @throws TributaryError errors of the engine
 */
export const lookAlikes = async (engine: Engine, index: string): Promise<readonly string[]> => {
  const { fields } = readFields(withoutOrigin((await engine.describe(index)).properties));
  const keywords = [...fields.values()].filter(
    ({ kind, path, indexField }) => kind === 'keyword' && indexField.path === path,
  );
  const { facets } = await engine.search(index, {
    facets: keywords.map(({ indexField }) => ({
      ...{ field: indexField, filter: all, objects: {} },
      measure: { kind: 'terms', size: maxValues, missing: false },
    })),
  });
  return facets.flatMap((facet, at) =>
    facet.kind === 'terms' && facet.distinct <= maxValues
      ? messages(keywords[at]!.path, alikeIn(facet.buckets))
      : [],
  );
};

const messages = (path: string, alike: readonly string[]): readonly string[] => {
  const more = alike.length - maxListed;
  return [
    ...alike.slice(0, maxListed).map((values) => `${path} has values that look alike: ${values}`),
    ...(more > 0 ? [`${path} has ${countOf(more, 'more set')} of values that look alike`] : []),
  ];
};

/** @param buckets by count, the most frequent first */
const alikeIn = (buckets: readonly TermsBucket[]): readonly string[] =>
  [...Map.groupBy(buckets, ({ key }) => appearance(key)).values()]
    .filter((alike) => alike.length > 1)
    .map(([usual, ...others]) => {
      const shown = others.map(({ key, count }) => `${spelt(key, usual!.key)} (${String(count)})`);
      return `${spelt(usual!.key, usual!.key)} (${countOf(usual!.count, 'record')}) and ${firstOf(shown, maxListed)}`;
    });

/** Letters of Cyrillic and Greek, and hyphens, that are drawn as these of Latin are. */
const twins = new Map(
  [
    ['АВЕЅІЈКМНОРСТУХаеѕіјорсухһԁԛԝ', 'ABESIJKMHOPCTYXaesijopcyxhdqw'],
    ['ΑΒΕΖΗΙΚΜΝΟΡΤΥΧο', 'ABEZHIKMNOPTYXo'],
    ['\u2010\u2011\u2212', '---'],
  ].flatMap(([foreign, latin]) => [...foreign!].map((letter, at) => [letter, latin![at]!] as const)),
);

/** What a text looks like: the same for texts that cannot be told apart. */
const appearance = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/\p{Cf}/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/\P{ASCII}/gu, (letter) => twins.get(letter) ?? letter);

/** A value in quotes, with the code points of what the usual one does not have. */
const spelt = (value: string, usual: string): string => {
  const marked = value.replace(/\P{ASCII}/gu, (letter) =>
    usual.includes(letter) ? letter : `\\u{${letter.codePointAt(0)!.toString(16).padStart(4, '0')}}`,
  );
  return `"${escapedText(marked, 60)}"`;
};
