import type { AnswerOrigin, SearchFn } from '../../search/query.ts';

/** A search whose warnings, origin and gaps are recorded: `notes` combines those of all answers. */
export const recording = (search: SearchFn) => {
  const warnings = new Set<string>();
  let origin: AnswerOrigin | undefined;
  let incomplete: string | undefined;
  const recorded: SearchFn = async (query, context) => {
    context.signal?.throwIfAborted();
    const answer = await search(query, context);
    for (const warning of answer.warnings) warnings.add(warning);
    origin = answer.origin ?? origin;
    incomplete ??= answer.incomplete;
    return answer;
  };
  const notes = () => ({
    warnings: [...warnings],
    ...(origin && { origin }),
    ...(incomplete !== undefined && { incomplete }),
  });
  return { recorded, notes };
};
