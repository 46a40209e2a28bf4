import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json/json.ts';

/** How a keyword with a normalizer keeps its values. */
export type Normalize = (value: string) => string;

/**
 * The normalizer that a mapping names: built in, or one of the index's analysis settings made of the filters below.
 * @param analysis the settings' `analysis`
 * @returns a string when it cannot be honoured: why
 */
export const normalizerNamed = (name: string, analysis: JsonObject): Normalize | string => {
  const definition = partNamed(analysis, 'normalizer', name);
  if (definition === undefined) return filters[name] ?? `the settings have no normalizer "${name}"`;
  if (listOf(definition['char_filter']).length > 0) return 'it has a char_filter';
  const steps: Normalize[] = [];
  for (const filter of listOf(definition['filter'])) {
    const step = filterNamed(String(filter), analysis);
    if (step === undefined)
      return `it has the filter "${String(filter)}"; ${Object.keys(filters).join(', ')} work`;
    steps.push(step);
  }
  return (value) => steps.reduce((text, step) => step(text), value);
};

const filterNamed = (name: string, analysis: JsonObject): Normalize | undefined => {
  const definition = partNamed(analysis, 'filter', name);
  if (definition === undefined) return filters[name];
  const isPlain = Object.entries(definition).every(
    ([key, value]) => key === 'type' || (key === 'preserve_original' && String(value) === 'false'),
  );
  return isPlain ? filters[String(definition['type'])] : undefined;
};

const partNamed = (analysis: JsonObject, kind: string, name: string): JsonObject | undefined => {
  const parts = analysis[kind];
  const part = isJsonObject(parts) && Object.hasOwn(parts, name) ? parts[name] : undefined;
  return isJsonObject(part) ? part : undefined;
};

const listOf = (value: JsonValue | undefined): readonly JsonValue[] =>
  value === undefined || value === null ? [] : [value as JsonValue | readonly JsonValue[]].flat();

/** Character by character, as search servers do: no final sigma, no leftover dot from a dotted capital I. */
export const lowerCase = (text: string): string =>
  text.replaceAll('\u03A3', '\u03C3').replaceAll('\u0130', 'i').toLowerCase();

/** What search servers trim: white space except no-break spaces. */
// eslint-disable-next-line no-control-regex -- separators of ASCII
const space = /[\t-\r\u001c-\u0020\u1680\u2000-\u2006\u2008-\u200a\u2028\u2029\u205f\u3000]/.source;

const edges = new RegExp(`^${space}+|${space}+$`, 'g');

/** Characters that Lucene's ASCIIFoldingFilter does not replace by their decomposition. */
const unlikeDecomposed = [
  '"«»“”„″‶❝❞❮❯ %⁒ \'‘’‚‛′‵‹›❛❜ (❨❪ ((⸨ )❩❫ ))⸩ *⁎ -‐‑‒–—⁻₋ /⁄ 0⓿ 1⓵❶➀➊ 10⓾❿➉➓ 11⓫ 12⓬ 13⓭ 14⓮ 15⓯ 16⓰',
  '17⓱ 18⓲ 19⓳ 2⓶❷➁➋ 20⓴ 3⓷❸➂➌ 4⓸❹➃➍ 5⓹❺➄➎ 6⓺❻➅➏ 7⓻❼➆➐ 8⓼❽➇➑ 9⓽❾➈➒ ;⁏ <❬❰ >❭❱ AƏȺᴀ AAꜲ AEÆǢǼᴁ AOꜴ AUꜶ',
  'AVꜸꜺ AYꜼ BƁƂɃʙᴃ CƇȻʗᴄ DÐĐƉƊƋᴅᴆꝹ EƎƐɆᴇⱻ FƑꜰꝻꟻ GƓǤǥǧɢʛꝽꝾ HĦʜⱧⱵ HVǶ IƖƗɪᵻꟾ JɈᴊ KƘᴋⱩꝀꝂꝄ LĿŁȽʟᴌⱠⱢꝆꝈꞀ LLỺ',
  'MƜᴍⱮꟽꟿ NŊƝȠɴᴎ OØƆƟǾᴏᴐꝊꝌ OEŒɶ OOꝎ OUȢᴕ PƤᴘⱣꝐꝒꝔ QɊꝖꝘ RɌʀʁᴙᴚⱤꝚꞂ Sꜱꞅ SSẞ TŦƬƮȾᴛꞆ THÞꝦ TZꜨ UɄᴜᵾ VƲɅᴠỼꝞꝨ',
  'VYꝠ WǷᴡⱲ YƳɎʏỾ ZƵȜȤᴢⱫꝢ [⁅❲ ]⁆❳ ^‸ aɐəɚᶏᶕẚₔⱥⱯ aaꜳ aeæǣǽᴂ aoꜵ auꜷ avꜹꜻ ayꜽ bƀƃɓᵬᶀ cƈȼɕↄꜾꜿ dðđƌȡɖɗᵭᶁᶑꝺ',
  'dbȸ dzʣʥ eǝɇɘɛɜɝɞʚᴈᶒᶓᶔⱸ fƒᵮᶂẛꝼ gɠɡᵷᵹᶃꝿ hħɥɦʮʯⱨⱶ hvƕ iıɨᴉᵼᶖ jȷɉɟʄʝ kƙʞᶄⱪꝁꝃꝅ lŀłƚȴɫɬɭᶅⱡꝇꝉꞁ llỻ lsʪ lzʫ',
  'mɯɰɱᵯᶆ nŉŋƞȵɲɳᵰᶇ oøǿɔɵᴖᴗᶗⱺꝋꝍ oeœᴔ ooꝏ ouȣ pƥᵱᵽᶈꝑꝓꝕꟼ qĸɋʠꝗꝙ qpȹ rɍɼɽɾɿᵲᵳᶉꝛꞃ sȿʂᵴᶊẜẝꞄ ssß tŧƫƭȶʇʈᵵⱦ',
  'tcʨ thþᵺꝧ tsʦ tzꜩ uʉᶙ ueᵫ vʋʌᶌⱱⱴꝟ vyꝡ wƿʍⱳ xᶍ yƴɏʎỿ zƶȝȥɀʐʑᵶᶎⱬꝣ {❴ }❵ ~⁓',
];

/** Characters of the blocks below that it keeps. */
const unchanged = '\u00af\u00b4\u00b8\u00ba\u2017\u2024\u2025\u2026\u202f\u203e\ufb05\uff40\uff5c';

const foldings: ReadonlyMap<string, string> = new Map([
  ...Array.from(unchanged, (character) => [character, character] as const),
  ...unlikeDecomposed
    .flatMap((line) => line.split(' '))
    .flatMap((entry) => {
      const ascii = /^[\0-\x7f]+/.exec(entry)![0];
      return Array.from(entry.slice(ascii.length), (character) => [character, ascii] as const);
    }),
]);

/** The blocks that it looks at: Latin letters, punctuation, digits and their variants. */
const folded =
  /[\xab-\u02af\u1d00-\u1d22\u1d62-\u1d99\u1e00-\u1eff\u2010-\u2053\u2070-\u2094\u2184\u2460-\u24ff\u275b-\u2793\u2c60-\u2c7c\u2e28\u2e29\ua728-\ua786\ua7fb-\ua7ff\ufb00-\ufb06\uff01-\uff5e]/g;

/** As the filter `asciifolding` of search servers: characters with an ASCII equivalent become it, case is kept. */
const foldToAscii = (text: string): string =>
  text.replace(folded, (character) => {
    const known = foldings.get(character);
    if (known !== undefined) return known;
    const base = character.normalize('NFKD').replace(/\p{M}/gu, '');
    return /^[\0-\x7f]+$/.test(base) ? base : character;
  });

const filters: Readonly<Record<string, Normalize>> = {
  lowercase: lowerCase,
  asciifolding: foldToAscii,
  trim: (text) => text.replace(edges, ''),
};
