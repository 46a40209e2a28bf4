import type { FieldEvidence } from './field-evidence.ts';
import type { ValueShape } from './value-shape.ts';

/** Options of `tributary load` that would give a field a better type. */
export interface Proposal {
  readonly path: string;
  /** As they are typed: `--null "N/A"`, `--decimal ,`. */
  readonly options: readonly string[];
  /** The type it would get. */
  readonly becomes: 'number' | 'date' | 'boolean';
  /** What is to be known before it is taken; absent when there is nothing. */
  readonly caution?: string;
}

/**
 * The options without which a field is only text, when something else than such values is in none of them; null when
 * there are none, or the field has its type already.
 * @param isTable whether texts are read as what they look like, as cells are
 */
export const proposeOptions = (path: string, field: FieldEvidence, isTable: boolean): Proposal | null => {
  const count = (look: ValueShape): number => field.shapes.get(look)?.count ?? 0;
  if (count('text') > 0 || count('object') > 0 || count('partial date') > 0) return null;
  const words = [...field.emptyWords];
  const nullOption = words.length === 0 ? [] : [`--null ${quoted(words.join(','))}`];
  const has = (...looks: readonly ValueShape[]): boolean => looks.some((look) => count(look) > 0);
  const proposal = (
    becomes: Proposal['becomes'],
    options: readonly string[],
    caution?: string,
  ): Proposal | null => {
    const all = [...options, ...nullOption];
    return all.length === 0 ? null : { path, becomes, options: all, ...(caution && { caution }) };
  };
  const native = (['number', 'boolean', 'date'] as const).filter((look) => has(look));
  const written = (['number text', 'comma number', 'grouped number', 'written date', 'boolean word', 'boolean text'] as const).filter((look) => has(look)); // prettier-ignore
  if (native.length + written.length === 0) return null;
  if (written.length === 0) return native.length === 1 ? proposal(native[0]!, []) : null;
  const only = (...looks: readonly ValueShape[]): boolean => [...native, ...written].every((look) => looks.includes(look)); // prettier-ignore
  if (only('boolean', 'boolean word', 'boolean text'))
    return proposal('boolean', [typeOption(path, 'boolean')]);
  if (only('date', 'written date')) return dateProposal(path, field, isTable, proposal);
  if (!isTable) return null;
  if (only('number', 'number text')) return proposal('number', []);
  if (only('number', 'number text', 'comma number') && field.pointDecimals === 0)
    return proposal('number', ['--decimal ,'], commaCaution(field));
  return only('number', 'number text', 'grouped number') ? proposal('number', ['--decimal .']) : null;
};

const dateProposal = (
  path: string,
  { dateFormats }: FieldEvidence,
  isTable: boolean,
  proposal: (becomes: 'date', options: readonly string[], caution?: string) => Proposal | null,
): Proposal | null => {
  const [format, ...others] = dateFormats ?? [];
  if (format === undefined) return null;
  const other = others.find((one) => one.startsWith('M') !== format.startsWith('M'));
  const caution = other === undefined ? undefined : `if the month comes first, ${other}`;
  return proposal('date', [...(isTable ? [] : [typeOption(path, 'date')]), `--date-format ${format}`], caution); // prettier-ignore
};

/** Three digits behind every comma may as well be thousands. */
const commaCaution = (field: FieldEvidence): string | undefined => {
  const places = field.shapes.get('comma number')?.places ?? [];
  return places.length > 0 && places.every(({ text }) => /^[+-]?\d{1,3}(,\d{3})+$/.test(text))
    ? 'if the comma groups thousands, --decimal .'
    : undefined;
};

const typeOption = (path: string, type: string): string => `--types ${quoted(`${path}=${type}`)}`;

const quoted = (text: string): string =>
  /^[\w.,=/-]+$/.test(text) ? text : `"${text.replaceAll('"', '\\"')}"`;
