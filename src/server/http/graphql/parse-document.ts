import { GraphQLError, Kind, Lexer, Source, TokenKind, parse, visit, type DocumentNode } from 'graphql';
import type { ErrorCode } from '../../../lib/errors/errors.ts';
import { maxTokens, oversized } from './document-limits.ts';

/** A document that can be validated, or the reason why it cannot. */
export type ParsedDocument =
  | { readonly kind: 'parsed'; readonly document: DocumentNode }
  | { readonly kind: 'refused'; readonly code: ErrorCode; readonly message: string; readonly at?: number };

/** The fields that a document selects, and its filters. */
interface DocumentFields {
  /** The names of its fields, at any level, that describe the fields of records. */
  readonly describing: readonly string[];
  /** Names of root fields. */
  readonly roots: readonly string[];
  /** For each filter: true if it is written out, else the name of its variable. */
  readonly filters: readonly (string | true)[];
  /** Variables with a default other than null. */
  readonly defaults: readonly string[];
}

/** What carries the text of a document: one operation of a request. */
export interface Operation {
  readonly query: string;
}

/** The result for an operation is made once, as several steps of a request look at its document before it runs. */
const onceFor = <Result>(make: (operation: Operation) => Result): ((operation: Operation) => Result) => {
  const made = new WeakMap<Operation, { readonly result: Result }>();
  return (operation) => {
    const known = made.get(operation) ?? { result: make(operation) };
    made.set(operation, known);
    return known.result;
  };
};

/** Parses the text of a document, unless it is too large. */
export const parseDocument = (query: string): ParsedDocument => {
  if (isTooDeep(query))
    return refused('GRAPHQL_VALIDATION_FAILED', `the document is nested deeper than ${maxNesting} brackets`);
  try {
    const document = parse(query, { maxTokens });
    const size = oversized(document);
    return size === null ? { kind: 'parsed', document } : refused('GRAPHQL_VALIDATION_FAILED', size);
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    return isTooManyTokens(error)
      ? refused('GRAPHQL_PARSE_FAILED', tooManyTokens)
      : { ...refused('GRAPHQL_PARSE_FAILED', error.message), at: error.positions![0]! };
  }
};

/** The parsed document of an operation. */
export const documentOf = onceFor(({ query }) => parseDocument(query));

/** What the document of an operation selects; null: it does not parse. */
export const fieldsIn = onceFor((operation): DocumentFields | null => {
  const parsed = documentOf(operation);
  return parsed.kind === 'parsed' ? fieldsOf(parsed.document) : null;
});

const refused = (code: ErrorCode, message: string) => ({ kind: 'refused', code, message }) as const;

const isTooManyTokens = ({ message }: GraphQLError): boolean =>
  message.startsWith('Syntax Error: Document contains more that');

const tooManyTokens = `the document has more than the ${maxTokens} tokens allowed: send a long filter in a variable`;

/**
 * Maximum nesting of brackets in a document. Parsing and validation recurse and overflow the call stack at a little
 * over twice this depth; filters in variables have their own limit.
 */
const maxNesting = 800;

/**
 * Whether a document is nested so deeply that parsing it would overflow the stack. Checks nothing else: syntax errors
 * and too many tokens are left to the parser.
 */
const isTooDeep = (query: string): boolean => {
  if (query.length <= maxNesting || openingBrackets(query, maxNesting) <= maxNesting) return false;
  const lexer = new Lexer(new Source(query));
  let open = 0;
  // the parser refuses documents with more tokens
  for (let tokens = 0; tokens <= maxTokens && open <= maxNesting; tokens++) {
    const kind = nextKind(lexer);
    if (kind === null || kind === TokenKind.EOF) return false;
    if (opening.has(kind)) open++;
    else if (closing.has(kind)) open--;
  }
  return open > maxNesting;
};

const opening: ReadonlySet<TokenKind> = new Set([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L]);
const closing: ReadonlySet<TokenKind> = new Set([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R]);

/** Includes brackets in strings and comments: an upper bound on what the lexer finds. */
const openingBrackets = (query: string, max: number): number => {
  let found = 0;
  for (const _ of query.matchAll(/[{[(]/g)) if (++found > max) break;
  return found;
};

/** null at a syntax error; the parser stops there too and reports it. */
const nextKind = (lexer: Lexer): TokenKind | null => {
  try {
    return lexer.advance().kind;
  } catch (error) {
    if (error instanceof GraphQLError) return null;
    throw error;
  }
};

const describingFields = new Set(['__schema', '__type', 'configs']);
/** Every argument that carries a filter. */
const filterArguments = new Set(['filters', 'filter', 'sqon']);

const fieldsOf = (document: DocumentNode): DocumentFields => {
  const [describing, filters, defaults] = [new Set<string>(), new Set<string | true>(), new Set<string>()];
  visit(document, {
    Field: ({ name }) => void (describingFields.has(name.value) && describing.add(name.value)),
    Argument: ({ name, value }) => {
      if (!filterArguments.has(name.value) || value.kind === Kind.NULL) return;
      filters.add(value.kind === Kind.VARIABLE ? value.name.value : true);
    },
    VariableDefinition: ({ variable, defaultValue }) => {
      if (defaultValue !== undefined && defaultValue.kind !== Kind.NULL) defaults.add(variable.name.value);
    },
  });
  const roots = rootFieldsOf(document);
  return { describing: [...describing], roots: [...roots], filters: [...filters], defaults: [...defaults] };
};

/** The names (not aliases) of all root fields that a document's operations select, including through fragments. */
export const rootFieldsOf = (document: DocumentNode): ReadonlySet<string> => {
  const names = new Set<string>();
  const fragments = new Map(
    document.definitions.flatMap((one) =>
      one.kind === Kind.FRAGMENT_DEFINITION ? [[one.name.value, one.selectionSet] as const] : [],
    ),
  );
  // an explicit stack, and each fragment once: thousands may spread each other, in a chain or a cycle
  const seen = new Set<string>();
  const open = document.definitions.flatMap((one) =>
    one.kind === Kind.OPERATION_DEFINITION ? [one.selectionSet] : [],
  );
  for (let set = open.pop(); set !== undefined; set = open.pop())
    for (const selection of set.selections) {
      if (selection.kind === Kind.FIELD) names.add(selection.name.value);
      else if (selection.kind === Kind.INLINE_FRAGMENT) open.push(selection.selectionSet);
      else if (!seen.has(selection.name.value)) {
        seen.add(selection.name.value);
        const fragment = fragments.get(selection.name.value);
        if (fragment) open.push(fragment);
      }
    }
  return names;
};
