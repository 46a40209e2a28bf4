import { GraphQLError, Lexer, Source, TokenKind } from 'graphql';
import { TributaryError } from '../../errors/errors.ts';
import { maxTokens } from './document-size.ts';

/**
 * Maximum nesting of brackets in a document. Parsing and validation recurse and overflow the call stack at a little
 * over twice this depth; filters in variables have their own limit.
 */
const maxNesting = 800;

/**
 * Refuses a GraphQL document nested so deeply that parsing it would overflow the stack. Checks nothing else: syntax
 * errors and too many tokens are left to the parser.
 * @throws TributaryError GRAPHQL_VALIDATION_FAILED
 */
export const rejectDeepDocument = (query: string): void => {
  if (query.length <= maxNesting || openingBrackets(query) <= maxNesting) return;
  const lexer = new Lexer(new Source(query));
  let open = 0;
  // the parser refuses more of them
  for (let tokens = 0; tokens <= maxTokens; tokens++) {
    const kind = nextKind(lexer);
    if (kind === null || kind === TokenKind.EOF) return;
    if (opening.has(kind)) open++;
    else if (closing.has(kind)) open--;
    if (open > maxNesting) throw tooDeep();
  }
};

const opening: ReadonlySet<TokenKind> = new Set([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L]);
const closing: ReadonlySet<TokenKind> = new Set([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R]);

/** Includes those in strings and comments: an upper bound on what the lexer finds. */
const openingBrackets = (query: string): number => query.match(/[{[(]/g)?.length ?? 0;

/** null at a syntax error; the parser stops there too and reports it. */
const nextKind = (lexer: Lexer): TokenKind | null => {
  try {
    return lexer.advance().kind;
  } catch (error) {
    if (error instanceof GraphQLError) return null;
    throw error;
  }
};

const tooDeep = (): TributaryError =>
  new TributaryError(
    'GRAPHQL_VALIDATION_FAILED',
    `the document is nested deeper than ${maxNesting} brackets: send a filter this deep in a variable`,
  );
