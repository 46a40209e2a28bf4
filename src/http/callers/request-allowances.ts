import { requestAllowance, type Allowance } from '../../engines/allowance.ts';
import { TributaryError } from '../../errors/errors.ts';
import { callerBudgets } from './caller-budgets.ts';
import { callerName } from './caller-name.ts';
import type { HttpContext } from '../koa/http-context.ts';
import type { CostSettings } from '../koa/settings.ts';

/** What the searches of a request may cost. */
export type AllowanceOf = (context: HttpContext) => Allowance;

/** The allowances of all requests of a server; each caller has one budget. */
export const requestAllowances = ({
  maxQueryCost,
  queryCostPerSecond,
  trustedProxies,
}: CostSettings): AllowanceOf => {
  const budget = callerBudgets(queryCostPerSecond);
  return (context) =>
    requestAllowance({
      maxCost: maxQueryCost,
      caller: () => callerName(context, trustedProxies),
      budget: {
        use: budget.use,
        take: (caller, cost) => {
          try {
            budget.take(caller, cost);
          } catch (error) {
            sayWhen(context, error);
            throw error;
          }
        },
      },
    });
};

const sayWhen = (context: HttpContext, error: unknown): void => {
  const seconds = error instanceof TributaryError ? error.details?.['retryAfterSeconds'] : undefined;
  if (typeof seconds === 'number' && !context.headerSent) context.set('retry-after', String(seconds));
};
