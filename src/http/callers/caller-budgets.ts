import { requestAllowance, type Allowance, type Budget } from '../../engines/allowance.ts';
import { TributaryError } from '../../errors/errors.ts';
import { chargeCaller, onBehalfOf, yieldToEventLoop } from '../../concurrency/yield-to-event-loop.ts';
import { hubOf, type HttpContext, type Middleware } from '../koa/http-context.ts';
import type { CostSettings } from '../koa/settings.ts';
import { isIPv6 } from 'node:net';
import { LRUCache } from 'lru-cache';

/** The cost allowance for the searches of a request. */
export type AllowanceOf = (context: HttpContext) => Allowance;

/** Cost limits for the requests of a server; each caller has one budget. */
export interface CallerCosts {
  readonly allowanceOf: AllowanceOf;
  /** Charges a caller for bytes of a request's body. @throws TributaryError TOO_MANY_REQUESTS */
  readonly chargeBody: (context: HttpContext, bytes: number) => void;
}

/** Microseconds of CPU time to unpack, parse and check a byte of a body. */
const costPerByte = 0.1;

export const callerCosts = ({
  maxQueryCost,
  queryCostPerSecond,
  trustedProxies,
}: CostSettings): CallerCosts => {
  const budget = callerBudgets(queryCostPerSecond, (caller, cost) => chargeCaller(caller, cost / 1_000));
  const take = (context: HttpContext, caller: string, cost: number): void => {
    try {
      budget.take(caller, cost);
    } catch (error) {
      sayWhen(context, error);
      throw error;
    }
  };
  return {
    allowanceOf: (context) =>
      requestAllowance({
        maxCost: maxQueryCost,
        caller: () => callerName(context, trustedProxies),
        budget: { ...budget, take: (caller, cost) => take(context, caller, cost) },
      }),
    chargeBody: (context, bytes) => take(context, callerName(context, trustedProxies), bytes * costPerByte),
  };
};

const sayWhen = (context: HttpContext, error: unknown): void => {
  const seconds = error instanceof TributaryError ? error.details?.['retryAfterSeconds'] : undefined;
  if (typeof seconds === 'number' && !context.headerSent) context.set('retry-after', String(seconds));
};

/**
 * Identifies a caller: by the hub whose tunnel the request came through, the subject of the verified token, else the
 * client address.
 * @param proxies how many trusted proxies are in front of this server, each appending its peer to X-Forwarded-For; earlier
 *   entries are supplied by the client
 */
export const callerName = (context: HttpContext, proxies: number): string => {
  const { subject } = context.state;
  const hub = hubOf(context);
  if (hub !== undefined) return `hub ${hub}`;
  return subject === undefined ? `address ${networkOf(addressOf(context, proxies))}` : `subject ${subject}`;
};

/**
 * Requests begin in turn, callers that have used least first, so that a hundred arriving at once do not run back to back.
 * Later work counts for the same caller.
 * @param proxies see addressOf
 */
export const takeTurns =
  (proxies: number): Middleware =>
  (context, next) =>
    onBehalfOf(callerName(context, proxies), async () => {
      await yieldToEventLoop();
      if (!context.res.destroyed) await next();
    });

/** The client's address, from the header of the trusted proxies. */
export const addressOf = (
  { req, headers }: Pick<HttpContext, 'req' | 'headers'>,
  proxies: number,
): string => {
  const direct = req.socket.remoteAddress ?? '';
  if (proxies === 0) return direct;
  const forwarded = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',');
  const named = withoutPort(forwarded.at(-proxies)?.trim() ?? '');
  return named === '' ? direct : named;
};

/** Some proxies append the port of their peer, which differs for each connection. */
const withoutPort = (address: string): string =>
  /^"?\[([^\]]*)\](?::\d+)?"?$/.exec(address)?.[1] ?? /^([\d.]+):\d+$/.exec(address)?.[1] ?? address;

/** An IPv6 client usually controls its whole /64 network. */
export const networkOf = (address: string): string => {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
  if (!isIPv6(plain)) return plain;
  const [head = '', tail] = plain.split('%')[0]!.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length);
  return [...before, ...Array.from({ length: zeros }, () => '0'), ...after]
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, '').toLowerCase())
    .join(':');
};

/** How much budget an idle caller can save up, in seconds. */
const savedSeconds = 5;
/** A query that costs at most this part of the maximum balance passes even when expensive ones have used the budget up. */
const smallPart = 1 / 200;
const maxCallers = 100_000;

/** A caller's remaining budget, and when it was last computed. */
interface Balance {
  readonly left: number;
  readonly atMs: number;
}

/**
 * Limits what each caller may cost the engine per second; unused budget is saved for a few seconds. A query passes when
 * the balance covers its cost or is at its maximum, so that every query can run eventually.
 * @param perSecond the budget per second; 0 sets no limit
 * @param onCharge called with each cost that a caller is charged
 */
export const callerBudgets = (
  perSecond: number,
  onCharge: (caller: string, cost: number) => void,
  nowMs: () => number = () => performance.now(),
): Budget => {
  if (perSecond === 0) return { use: onCharge, owe: onCharge, take: onCharge };
  const max = perSecond * savedSeconds;
  const balances = new LRUCache<string, Balance>({ max: maxCallers });
  const leftOf = (caller: string): number => {
    const known = balances.get(caller);
    if (known === undefined) return max;
    return Math.min(max, known.left + ((nowMs() - known.atMs) / 1000) * perSecond);
  };
  const use = (caller: string, cost: number): void => {
    onCharge(caller, cost);
    balances.set(caller, { left: leftOf(caller) - cost, atMs: nowMs() });
  };
  return {
    use: (caller, cost) => use(caller, Math.min(cost, Math.max(0, leftOf(caller)))),
    owe: (caller, cost) => use(caller, Math.min(cost, Math.max(0, leftOf(caller) + max))),
    take: (caller, cost) => {
      const isSmall = cost <= max * smallPart;
      const needed = isSmall ? cost - max * smallPart * 10 : Math.min(cost, max);
      const lacking = needed - leftOf(caller);
      if (lacking > 0) throw usedUp(perSecond, Math.ceil(lacking / perSecond));
      use(caller, cost);
    },
  };
};

const usedUp = (perSecond: number, retryAfterSeconds: number): TributaryError =>
  new TributaryError(
    'TOO_MANY_REQUESTS',
    `your requests cost more than ${perSecond} per second: try again in ${retryAfterSeconds} s`,
    { details: { retryAfterSeconds } },
  );
