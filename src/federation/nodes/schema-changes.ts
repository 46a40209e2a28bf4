import type { GraphqlAnswer, GraphqlExecutor } from '../remote/transport.ts';

/**
 * Notices in the answers of a node that it offers something else than before: those of our own say by a fingerprint what
 * can be asked, and any node refuses what it no longer has.
 * @param discover asks the node what it offers now; false: it did not say
 * @param leastMs between two such questions: servers behind one address may differ
 * @param mayHaveGrown whether it may have offered less when it was discovered than at its first answer: a network that
 *   started at the same time as this one did not know all of its nodes
 */
export const noticingChanges = (
  execute: GraphqlExecutor,
  discover: () => Promise<boolean>,
  leastMs: number,
  mayHaveGrown: () => boolean,
): GraphqlExecutor => {
  let known: string | null = null;
  let notBeforeMs = 0;
  const discovered = async (schema: string | null): Promise<void> => {
    if (await discover()) known = schema;
  };
  const notice = (answer: GraphqlAnswer): GraphqlAnswer => {
    const { schema = known } = answer;
    const isOther = known === null ? schema !== null && mayHaveGrown() : schema !== known;
    if (known === null) known = schema;
    if ((!isOther && !isInvalid(answer)) || performance.now() < notBeforeMs) return answer;
    notBeforeMs = performance.now() + leastMs;
    void discovered(schema);
    return answer;
  };
  return (request, take) => execute(request, (answer) => take(notice(answer)));
};

/** The question was made for another schema, or is too large for this one. */
const isInvalid = ({ errors = [] }: GraphqlAnswer): boolean =>
  errors.some(({ extensions }) => extensions?.['code'] === 'GRAPHQL_VALIDATION_FAILED');
