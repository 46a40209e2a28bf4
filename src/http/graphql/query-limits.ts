import { maxDepthRule } from '@escape.tech/graphql-armor-max-depth';
import {
  GraphQLError,
  Kind,
  NoSchemaIntrospectionCustomRule,
  type ASTVisitor,
  type OperationDefinitionNode,
  type ValidationContext,
  type ValidationRule,
} from 'graphql';
import type { QueryLimits } from '../koa/settings.ts';

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
