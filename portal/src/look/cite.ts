/** The contents of a citation. */
export interface Cited {
  /** A record's title, or the query in words. */
  readonly title: string;
  /** The name of the portal. */
  readonly portal: string;
  /** The institutions, each with its formatted number of records. */
  readonly institutions: readonly { readonly name: string; readonly count: string | null }[];
  readonly url: string;
  /** The day of access, as `2026-11-26`. */
  readonly day: string;
}

/** An entry of type `misc`, as BibTeX and biblatex read it. */
export const bibtexOf = ({ title, portal, institutions, url, day }: Cited): string => {
  const entries = [
    ['title', title],
    ['author', institutions.map(({ name }) => `{${escapedTex(name)}}`).join(' and ')],
    ['publisher', portal],
    ['year', day.slice(0, 4)],
    ['note', countsOf(institutions)],
  ].filter(([, value]) => value !== '');
  const lines = entries.map(
    ([name, value]) => `  ${name} = {${name === 'author' ? value : escapedTex(value!)}},`,
  );
  return [
    `@misc{${keyOf(portal)}${day.replaceAll('-', '')},`,
    ...lines,
    `  url = {${url.replaceAll('%', '\\%').replaceAll('{', '%7B').replaceAll('}', '%7D')}},`,
    `  urldate = {${day}}`,
    '}',
    '',
  ].join('\n');
};

/** An entry of type `DATA` in RIS, for reference managers. */
export const risOf = ({ title, portal, institutions, url, day }: Cited): string => {
  const counts = countsOf(institutions);
  return [
    ['TY', 'DATA'],
    ['TI', title],
    ...institutions.map(({ name }) => ['AU', `${name},`]),
    ['PB', portal],
    ['PY', day.slice(0, 4)],
    ['Y2', day.replaceAll('-', '/')],
    ...(counts === '' ? [] : [['N1', counts]]),
    ['UR', url],
    ['ER', ''],
  ]
    .map(([tag, value]) => `${tag}  - ${value!.replace(/\s+/g, ' ')}\r\n`)
    .join('');
};

const countsOf = (institutions: Cited['institutions']): string =>
  institutions.flatMap(({ name, count }) => (count === null ? [] : [`${name}: ${count}`])).join('; ');

const keyOf = (portal: string): string => portal.toLowerCase().replace(/[^a-z0-9]+/g, '') || 'records';

const special: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
};

const escapedTex = (text: string): string =>
  text.replace(/[\\~^{}%$&#_]/g, (letter) => special[letter] ?? `\\${letter}`);
