import { GraphQLError, Lexer, Source, TokenKind } from 'graphql';
import { TributaryError } from '../../errors.ts';

/**
 * Brackets open at one place of a document. Parsing and validating recurse with them and overflow the call stack at a
 * little over twice as many; a filter in a variable has a bound of its own.
 */
const maxNesting = 800;

/**
 * Refuses a GraphQL document nested so deeply that reading it would overflow the stack. Looks at nothing else: what
 * is no GraphQL is left to the parser.
 * @throws TributaryError GRAPHQL_VALIDATION_FAILED
 */
export const rejectDeepDocument = (query: string): void => {
  if (query.length <= maxNesting || openingBrackets(query) <= maxNesting) return;
  const lexer = new Lexer(new Source(query));
  let open = 0;
  for (;;) {
    const kind = nextKind(lexer);
    if (kind === null || kind === TokenKind.EOF) return;
    if (opening.has(kind)) open++;
    else if (closing.has(kind)) open--;
    if (open > maxNesting) throw tooDeep();
  }
};

const opening: ReadonlySet<TokenKind> = new Set([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L]);
const closing: ReadonlySet<TokenKind> = new Set([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R]);

/** Those inside texts and comments too: only a bound on what a lexer could find. */
const openingBrackets = (query: string): number => query.match(/[{[(]/g)?.length ?? 0;

/** null where the text stops being GraphQL; the parser, which gets no further either, says why. */
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
