import type {
  ASTNode,
  DocumentNode,
  ASTVisitor,
  OperationDefinitionNode,
  ValidationContext,
  ValidationRule,
} from 'graphql';
import { GraphQLError, Kind, NoSchemaIntrospectionCustomRule, visit } from 'graphql';
import { maxDepthRule } from '@escape.tech/graphql-armor-max-depth';
import type { QueryLimits } from '../koa/settings.ts';

/**
 * Enough for the values and the facet of each of 1 000 fields; longer filters belong in a variable. Validation is one
 * synchronous step, which takes about 10 ms for this many.
 */
export const maxTokens = 15_000;
/** Rules and resolvers follow chains of fragments by recursion. */
const maxDefinitions = 200;
/** Fields selected repeatedly at the same level, which the overlapping-fields rule compares pairwise. */
const maxRepeats = 200;

/** Why a document would be too expensive to validate; null if it would not. One pass, before any rule runs. */
export const oversized = (document: DocumentNode): string | null => {
  const { definitions } = document;
  if (definitions.length > maxDefinitions)
    return tooMany(definitions.length, 'fragments and operations', maxDefinitions);
  const repeats = repeatedFields(document);
  return repeats > maxRepeats ? tooMany(repeats, 'repeated fields', maxRepeats) : null;
};

const repeatedFields = (document: DocumentNode): number => {
  let repeats = 0;
  // Names selected by each enclosing operation, fragment or field; inline fragments add to their parent's.
  const selected: Set<string>[] = [];
  visit(document, {
    enter: (node) => {
      if (node.kind === Kind.FIELD) {
        const names = selected.at(-1)!;
        const name = node.alias?.value ?? node.name.value;
        if (names.has(name)) repeats++;
        names.add(name);
      }
      if (selects(node)) selected.push(new Set());
    },
    leave: (node) => {
      if (selects(node)) selected.pop();
    },
  });
  return repeats;
};

const selects = ({ kind }: ASTNode): boolean =>
  kind === Kind.FIELD || kind === Kind.OPERATION_DEFINITION || kind === Kind.FRAGMENT_DEFINITION;

const tooMany = (found: number, what: string, allowed: number): string =>
  `${found} ${what} in one document are more than the ${allowed} allowed`;

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
