import { GraphQLError, Kind, visit, type ASTNode, type DocumentNode } from 'graphql';

/** Enough for a filter of a hundred thousand values written out; many more belong in a variable. */
export const maxTokens = 250_000;
/** Rules and resolvers follow chains of fragments by recursion. */
const maxDefinitions = 200;
const maxFields = 20_000;
/**
 * Fields selected once more beside themselves. The rule that such fields can be merged compares each with each, and
 * what is below them too: without a bound a document of a megabyte takes minutes.
 */
const maxRepeats = 200;

/** The refusal of a document that would cost too much to validate, or null. One pass, before any rule runs. */
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
  // Names selected by each operation, fragment or field that is open here; inline fragments add to those around them.
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
