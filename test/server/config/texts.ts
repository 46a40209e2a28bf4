import { problemText, type Problem } from '../../../src/lib/text/problem.ts';

/** Problems as they are printed. */
export const texts = (problems: readonly Problem[]): readonly string[] => problems.map(problemText);
