import type { HierarchyBuilder, Term } from './build-hierarchy.ts';

/** A stanza `[Term]`, as far as read. */
type Stanza = { -readonly [Key in keyof Term]: Term[Key] } & {
  readonly synonyms: string[];
  readonly parents: string[];
};

/**
 * OBO 1.4: the terms with `is_a`, and with the listed relationships.
 * @param bytes UTF-8
 * @param relations such as `part_of`
 * @returns its `data-version`
 */
export const readObo = (
  bytes: Buffer,
  relations: ReadonlySet<string>,
  builder: HierarchyBuilder,
): string | null => {
  let version: string | null = null;
  let stanza: Stanza | null = null;
  let isHeader = true;
  const others: { readonly id: string; readonly of: string; readonly line: number }[] = [];
  for (const { number: line, text } of linesOf(bytes)) {
    if (text.startsWith('[')) {
      if (stanza !== null) builder.add(stanza);
      isHeader = false;
      stanza = /^\[Term\]/i.test(text) ? newStanza(line) : null;
      continue;
    }
    const colon = text.indexOf(':');
    if (colon < 0) continue;
    const tag = text.slice(0, colon).trim();
    const value = text.slice(colon + 1).trim();
    if (isHeader && tag === 'data-version') version = value;
    if (stanza === null) continue;
    if (tag === 'alt_id') others.push({ id: idIn(value), of: stanza.id, line });
    else readTag(tag, value, line, relations, stanza);
  }
  if (stanza !== null) builder.add(stanza);
  // secondary ids, which other files define in stanzas of their own
  for (const { id, of, line } of others)
    if (!builder.has(id)) builder.add({ ...newStanza(line), id, obsolete: true, replacedBy: of });
  return version;
};

const newStanza = (line: number): Stanza => ({
  ...{ id: '', label: '', obsolete: false, replacedBy: null, line },
  ...{ synonyms: [], parents: [] },
});

const readTag = (
  tag: string,
  value: string,
  line: number,
  relations: ReadonlySet<string>,
  stanza: Stanza,
): void => {
  switch (tag) {
    case 'id':
      stanza.id = idIn(value);
      stanza.line = line;
      return;
    case 'name':
      stanza.label = unescaped(withoutTrail(value));
      return;
    case 'synonym':
      stanza.synonyms.push(quoted(value));
      return;
    case 'is_a':
      stanza.parents.push(idIn(value));
      return;
    case 'relationship': {
      const [relation, parent] = value.split(/\s+/);
      if (relations.has(relation!) && parent !== undefined) stanza.parents.push(unescaped(parent));
      return;
    }
    case 'is_obsolete':
      stanza.obsolete = /^true\b/i.test(value);
      return;
    case 'replaced_by':
      stanza.replacedBy ??= idIn(value);
  }
};

/** Ids have no spaces: qualifiers in braces and a comment may follow. */
const idIn = (value: string): string => unescaped(value.split(/\s/, 1)[0]!);

/** Removes a comment after `!`, and qualifiers in braces. */
const withoutTrail = (value: string): string =>
  value.includes('!') || value.endsWith('}')
    ? value.replace(/\s!\s.*$/, '').replace(/\s*\{[^{}]*=[^{}]*\}$/, '')
    : value;

const quoted = (value: string): string => unescaped(/^"((?:[^"\\]|\\.)*)"/.exec(value)?.[1] ?? value);

const unescaped = (text: string): string =>
  text.includes('\\')
    ? text.replaceAll(/\\(.)/g, (_, character: string) => escapes[character] ?? character)
    : text;

const escapes: Readonly<Record<string, string>> = { n: ' ', W: ' ', t: ' ' };

/** A line of a text, without its end. */
interface Line {
  /** From 1. */
  readonly number: number;
  readonly text: string;
}

/** How many bytes are decoded at a time. */
const blockBytes = 1 << 16;

/** The lines of a UTF-8 text, which end in LF, CRLF or, if it has no LF at all, CR. */
function* linesOf(bytes: Buffer): Generator<Line> {
  const ending = bytes.includes(10) ? 10 : 13;
  let number = 0;
  for (let start = 0; start < bytes.length;) {
    const lineEnd = bytes.indexOf(ending, Math.min(start + blockBytes, bytes.length));
    const end = lineEnd < 0 ? bytes.length : lineEnd;
    for (const text of bytes.toString('utf8', start, end).split(ending === 10 ? '\n' : '\r'))
      yield { number: ++number, text: text.endsWith('\r') ? text.slice(0, -1) : text };
    start = end + 1;
  }
}
