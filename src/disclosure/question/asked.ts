import type { Formula, Formulas } from '../bounds/formula.ts';
import { always, never } from '../bounds/formula.ts';

/**
 * A question where cells and conditions do not fit exactly, such as an age between two edges: `surely` holds only for
 * units that satisfy it, `maybe` for all that could. Their bounds enclose its count.
 */
export interface Asked {
  readonly surely: Formula;
  readonly maybe: Formula;
}

/** The question for all units. */
export const everything: Asked = { surely: always, maybe: always };
/** The question for no unit. */
export const nothing: Asked = { surely: never, maybe: never };

/** not swaps the two: a unit that maybe satisfies a condition does not surely fail it. */
export const notAsked = ({ surely, maybe }: Asked, { not }: Formulas): Asked => ({
  surely: not(maybe),
  maybe: not(surely),
});

/** The conjunction or disjunction of questions, separately for what surely and what maybe holds. */
export const groupAsked = (op: 'and' | 'or', of: readonly Asked[], formulas: Formulas): Asked => ({
  surely: formulas[op](of.map(({ surely }) => surely)),
  maybe: formulas[op](of.map(({ maybe }) => maybe)),
});
