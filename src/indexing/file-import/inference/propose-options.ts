import type { FieldEvidence } from './field-evidence.ts';
import type { ValueShape } from './value-shape.ts';

/** Options of `tributary load` that would give a field a better type. */
export interface Proposal {
  readonly path: string;
  /** As typed: `--null "N/A"`, `--decimal ,`. */
  readonly options: readonly string[];
  /** The resulting type. */
  readonly becomes: 'number' | 'date' | 'boolean';
  /** What to know before accepting it; absent if nothing. */
  readonly caution?: string;
}

/**
 * The options that give a text field a better type, if all of its values fit that type; null when there are none or the
 * field already has its type.
 * @param isTable whether texts get types by their look, as table cells do
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

/** Three digits after every comma may as well be thousands groups. */
const commaCaution = (field: FieldEvidence): string | undefined => {
  const places = field.shapes.get('comma number')?.places ?? [];
  return places.length > 0 && places.every(({ text }) => /^[+-]?\d{1,3}(,\d{3})+$/.test(text))
    ? 'if the comma groups thousands, --decimal .'
    : undefined;
};

const typeOption = (path: string, type: string): string => `--types ${quoted(`${path}=${type}`)}`;

const quoted = (text: string): string =>
  /^[\w.,=/-]+$/.test(text) ? text : `"${text.replaceAll('"', '\\"')}"`;
