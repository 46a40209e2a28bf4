import { shellWord } from '../../../lib/text/escaped-text.ts';
import { twoDigitYears } from '../tables/columns.ts';
import type { Evidence, FieldEvidence } from './field-evidence.ts';
import type { ValueShape } from './value-shape.ts';

/** An option of `tributary load` and its value. */
export interface ProposedOption {
  readonly name: 'null' | 'types' | 'date-format' | 'decimal' | 'split' | 'id-field' | 'codebook';
  readonly value: string;
}

/** Options of `tributary load` that would give a field a better type. */
export interface Proposal {
  readonly path: string;
  readonly options: readonly ProposedOption[];
  /** The resulting type. */
  readonly becomes: 'number' | 'date' | 'boolean' | 'list';
  /** A warning before accepting it; absent if there is none. */
  readonly caution?: string;
  /** Whether the meaning of the values is ambiguous, so that a person has to decide. */
  readonly isOpen?: boolean;
}

/**
 * The options that give a text field a better type, if all of its values fit that type; null when there are none or the
 * field already has its type.
 * @param isTable whether texts get types by their look, like table cells
 */
export const proposeOptions = (path: string, field: FieldEvidence, isTable: boolean): Proposal | null => {
  const count = (look: ValueShape): number => field.shapes.get(look)?.count ?? 0;
  if (count('text') > 0) return listProposal(path, field);
  if (count('object') > 0 || count('partial date') > 0) return null;
  // sorted, so that fields with the same words share an option
  const words = [...field.emptyWords].sort();
  const nulls = words.length === 0 ? [] : [{ name: 'null', value: words.join(',') } as const];
  const has = (...looks: readonly ValueShape[]): boolean => looks.some((look) => count(look) > 0);
  const proposal = (
    becomes: Proposal['becomes'],
    options: readonly ProposedOption[],
    caution?: string,
    isOpen?: boolean,
  ): Proposal | null => {
    const all = [...options, ...nulls];
    return all.length === 0
      ? null
      : { path, becomes, options: all, ...(caution && { caution }), ...(isOpen === true && { isOpen }) };
  };
  const native = (['number', 'boolean', 'date'] as const).filter((look) => has(look));
  const written = (
    ['number text', 'comma number', 'grouped number', 'written date', 'boolean word', 'boolean text'] as const
  ).filter((look) => has(look));
  if (native.length + written.length === 0) return null;
  if (written.length === 0) return native.length === 1 ? proposal(native[0]!, []) : null;
  const only = (...looks: readonly ValueShape[]): boolean =>
    [...native, ...written].every((look) => looks.includes(look));
  if (only('boolean', 'boolean word', 'boolean text') && (native.length > 0 || isVaried(field)))
    return proposal('boolean', [typeOption(path, 'boolean')]);
  if (only('date', 'written date')) return dateProposal(path, field, isTable, proposal);
  if (!isTable) return null;
  if (only('number', 'number text')) return proposal('number', []);
  if (only('number', 'number text', 'comma number') && field.pointDecimals === 0)
    return proposal(
      'number',
      [{ name: 'decimal', value: ',' }],
      commaCaution(field),
      commaCaution(field) !== undefined,
    );
  return only('number', 'number text', 'grouped number')
    ? proposal('number', [{ name: 'decimal', value: '.' }])
    : null;
};

/** Whether a field of one shape has several values, judging by their first places. */
const isVaried = ({ shapes }: FieldEvidence): boolean => {
  const words = [...shapes.values()].flatMap(({ places }) => places.map(({ text }) => text.toLowerCase()));
  return new Set(words).size > 1 || [...shapes.values()].some(({ count, places }) => count > places.length);
};

/** For texts with a separator between recurring values; a comma could also belong to the text. */
const listProposal = (path: string, { lists }: FieldEvidence): Proposal | null => {
  const splitting = lists.splitting();
  if (splitting === null) return null;
  const options = [{ name: 'split', value: `${path}=${splitting}` }] as const;
  return {
    path,
    becomes: 'list',
    options,
    ...(splitting === ',' && { caution: 'if the commas are not part of the text', isOpen: true }),
  };
};

const dateProposal = (
  path: string,
  { dateFormats }: FieldEvidence,
  isTable: boolean,
  proposal: (
    becomes: 'date',
    options: readonly ProposedOption[],
    caution?: string,
    isOpen?: boolean,
  ) => Proposal | null,
): Proposal | null => {
  const [format, ...others] = dateFormats ?? [];
  if (format === undefined) return null;
  const other = others.find((one) => one.startsWith('M') !== format.startsWith('M'));
  const cautions = [
    ...(other === undefined ? [] : [`if the month comes first, ${other}`]),
    ...(/(?<!y)yy(?!y)/.test(format) ? [`years are ${twoDigitYears}`] : []),
  ];
  return proposal(
    'date',
    [
      ...(isTable && format.includes('d') ? [] : [typeOption(path, 'date')]),
      { name: 'date-format', value: format },
    ],
    cautions.join('; '),
    other !== undefined,
  );
};

/** For numbers that are all dates such as 20140518, or all milliseconds since 1970. */
export const numberDateProposal = (
  path: string,
  { shapes, basicDates, epochMillis }: FieldEvidence,
): Proposal | null => {
  const count = shapes.size === 1 ? shapes.get('number')?.count : undefined;
  const type = typeOption(path, 'date');
  if (count === undefined || count === 0) return null;
  if (count === basicDates)
    return { path, becomes: 'date', options: [type, { name: 'date-format', value: 'yyyyMMdd' }] };
  return count === epochMillis ? { path, becomes: 'date', options: [type] } : null;
};

/** Three digits after every comma could also be thousands groups. */
const commaCaution = (field: FieldEvidence): string | undefined => {
  const places = field.shapes.get('comma number')?.places ?? [];
  return places.length > 0 && places.every(({ text }) => /^[+-]?\d{1,3}(,\d{3})+$/.test(text))
    ? 'if the comma groups thousands, --decimal .'
    : undefined;
};

/**
 * Proposals that can be accepted together: an option that would change other fields too is limited to its own field. Words
 * for no value that several fields and texts have are one question: they may mean it everywhere.
 * @param proposals of all fields, null for fields without one
 */
export const settledProposals = (
  proposals: readonly (Proposal | null)[],
  { fields }: Evidence,
): readonly (Proposal | null)[] => {
  const found = proposals.filter((proposal) => proposal !== null);
  const formats = new Set(
    found.map((one) => valueOf(one, 'date-format')).filter((format) => format !== undefined),
  );
  const signs = new Set(found.map((one) => valueOf(one, 'decimal')).filter((sign) => sign !== undefined));
  const pointed = [...fields].find(([, { pointDecimals, fractions }]) => pointDecimals + fractions.count > 0);
  const keepingWords = (own: Proposal): readonly string[] => {
    const words = [...(fields.get(own.path)?.emptyWords ?? [])];
    const isFree = (path: string): boolean =>
      found.every((one) => one.path !== path || valueOf(one, 'null') === undefined);
    return [...fields.keys()].filter(
      (path) => isFree(path) && words.some((word) => fields.get(path)!.emptyWords.has(word)),
    );
  };
  const isShared = (words: string | undefined): boolean =>
    words !== undefined && found.filter((one) => valueOf(one, 'null') === words).length > 1;
  const ownOnly = (own: Proposal, name: ProposedOption['name']): string | undefined => {
    if (name === 'null') {
      const [kept] = keepingWords(own);
      return kept && `for ${own.path} only, since ${kept} has such words too`;
    }
    if (name === 'date-format' && formats.size > 1) return '';
    if (name !== 'decimal') return undefined;
    return signs.size > 1 ? '' : pointed && `for ${own.path} only, since ${pointed[0]} has decimal points`;
  };
  return proposals.map((own) => {
    if (own === null || own.path.includes('=')) return own;
    const cautions = own.caution === undefined ? [] : [own.caution];
    const words = valueOf(own, 'null');
    const keeping = isShared(words) ? keepingWords(own) : [];
    const isAsked = keeping.length > 0;
    if (isAsked) cautions.push(`if ${words!} means no value in ${listText(keeping)} too`);
    const options = own.options.map((option) => {
      const reason = isAsked && option.name === 'null' ? undefined : ownOnly(own, option.name);
      if (reason === undefined) return option;
      if (reason !== '') cautions.push(reason);
      return { ...option, value: `${own.path}=${option.value}` };
    });
    const caution = cautions.length > 0 && { caution: cautions.join('; ') };
    return { ...own, options, ...caution, ...(isAsked && { isOpen: true }) };
  });
};

/** At most three of some names. */
const listText = (names: readonly string[]): string =>
  `${names.slice(0, 3).join(', ')}${names.length > 3 ? ' and others' : ''}`;

const valueOf = ({ options }: Proposal, name: ProposedOption['name']): string | undefined =>
  options.find((option) => option.name === name)?.value;

/** An option as typed in a shell. */
export const optionText = ({ name, value }: ProposedOption): string =>
  `--${name}${value.length > 1 && value.startsWith('-') ? '=' : ' '}${shellWord(value)}`;

const typeOption = (path: string, type: string): ProposedOption => ({
  name: 'types',
  value: `${path}=${type}`,
});
