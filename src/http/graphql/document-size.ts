import { GraphQLError, Kind, visit, type ASTNode, type DocumentNode } from 'graphql';

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
