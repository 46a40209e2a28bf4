import type {
  ASTNode,
  DocumentNode,
  ASTVisitor,
  OperationDefinitionNode,
  ValidationContext,
  ValidationRule,
} from 'graphql';
import {
  GraphQLError,
  Kind,
  visit,
  Lexer,
  Source,
  TokenKind,
  NoSchemaIntrospectionCustomRule,
} from 'graphql';
import { TributaryError } from '../../errors/errors.ts';
import { maxDepthRule } from '@escape.tech/graphql-armor-max-depth';
import type { QueryLimits } from '../koa/settings.ts';

/**
 * Enough for an inline filter of almost as many values; larger ones belong in a variable. A document is parsed in one
 * go, which for this many takes tens of milliseconds.
 */
export const maxTokens = 100_000;
/** Rules and resolvers follow chains of fragments by recursion. */
const maxDefinitions = 200;
const maxFields = 20_000;
/**
 * Fields selected repeatedly at the same level. The overlapping-fields rule compares them pairwise, including their
 * subselections: without a limit, a document of a megabyte takes minutes.
 */
const maxRepeats = 200;

/** The error for a document that would be too expensive to validate, or null. One pass, before any rule runs. */
export const oversized = (document: DocumentNode): GraphQLError | null => {
  const { definitions } = document;
  if (definitions.length > maxDefinitions)
    return tooMany(definitions.length, 'fragments and operations', maxDefinitions);
  const { fields, repeats } = count(document);
  if (fields > maxFields) return tooMany(fields, 'fields', maxFields);
  return repeats > maxRepeats ? tooMany(repeats, 'repeated fields', maxRepeats) : null;
};

const count = (document: DocumentNode): { readonly fields: number; readonly repeats: number } => {
  let fields = 0;
  let repeats = 0;
  // Names selected by each enclosing operation, fragment or field; inline fragments add to their parent's.
  const selected: Set<string>[] = [];
  visit(document, {
    enter: (node) => {
      if (node.kind === Kind.FIELD) {
        const names = selected.at(-1)!;
        const name = node.alias?.value ?? node.name.value;
        fields++;
        if (names.has(name)) repeats++;
        names.add(name);
      }
      if (selects(node)) selected.push(new Set());
    },
    leave: (node) => {
      if (selects(node)) selected.pop();
    },
  });
  return { fields, repeats };
};

const selects = ({ kind }: ASTNode): boolean =>
  kind === Kind.FIELD || kind === Kind.OPERATION_DEFINITION || kind === Kind.FRAGMENT_DEFINITION;

const tooMany = (found: number, what: string, allowed: number): GraphQLError =>
  new GraphQLError(`${found} ${what} in one document are more than the ${allowed} allowed`);

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

/** The validation rules for query limits, in addition to those of the GraphQL specification. */
export const limitRules = (limits: QueryLimits): ValidationRule[] => [
  depthLimit(limits.maxDepth),
  aliasLimit(limits.maxAliases),
  ...(limits.introspectionDisabled ? [NoSchemaIntrospectionCustomRule] : []),
];

/** Counts levels from the root field to the leaf, through fragments; introspection is exempt. */
const depthLimit =
  (max: number): ValidationRule =>
  (context: ValidationContext): ASTVisitor => {
    const counted = maxDepthRule({
      n: max,
      flattenFragments: true,
      propagateOnRejection: false,
      onReject: [
        () =>
          context.reportError(
            new GraphQLError(
              `query depth limit exceeded: at most ${max} levels are allowed, the root field and leaves counted`,
            ),
          ),
      ],
    })(context);
    return {
      OperationDefinition: (operation) => {
        counted.onOperationDefinitionEnter(withoutTypeLookups(operation));
      },
    };
  };

/** The plugin exempts `__schema` only; `__type` is introspection as well. */
const withoutTypeLookups = (operation: OperationDefinitionNode): OperationDefinitionNode => ({
  ...operation,
  selectionSet: {
    ...operation.selectionSet,
    selections: operation.selectionSet.selections.filter(
      (selection) => selection.kind !== Kind.FIELD || selection.name.value !== '__type',
    ),
  },
});

/** Counts over the whole document, including fragments and operations that are not run. */
const aliasLimit =
  (max: number): ValidationRule =>
  (context: ValidationContext): ASTVisitor => {
    let found = 0;
    return {
      Field: (field) => {
        if (field.alias !== undefined) found++;
      },
      Document: {
        leave: () => {
          if (found > max)
            context.reportError(
              new GraphQLError(
                `query alias limit exceeded: ${found} aliases found, at most ${max} are allowed`,
              ),
            );
        },
      },
    };
  };
