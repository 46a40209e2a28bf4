import { LRUCache } from 'lru-cache';

/** Whom work is done for, on two levels. */
export interface Caller {
  /** A hub, the subject of a token, or an address. */
  readonly peer: string;
  /** Which of a hub's callers it is; empty: not known, or not a hub. */
  readonly member: string;
}

/** The server itself. */
export const inHouse: Caller = { peer: '', member: '' };

/** Measured time, and when it was last added to. */
interface Used {
  readonly ms: number;
  readonly atMs: number;
}

const halfLifeMs = 5_000;
/** A caller that was evicted starts at zero again. */
const maxCallers = 20_000;

/**
 * The time that callers have used lately, as measured, in milliseconds: it halves every five seconds. All times are on the
 * clock of performance.now().
 */
export class Usage {
  readonly #used = new LRUCache<string, Used>({ max: maxCallers });

  charge(caller: Caller, ms: number, nowMs = performance.now()): void {
    for (const name of new Set([caller.peer, nameOf(caller)]))
      this.#used.set(name, { ms: this.#usedBy(name, nowMs) + ms, atMs: nowMs });
  }

  /**
   * Whoever ranks lowest is next: who has used least, less a wait that is long. Otherwise a steady stream of newcomers
   * would keep a busy caller waiting for ever.
   * @param sinceMs when it began to wait @param littleMs who has used less ranks as if it had used this much
   */
  rank(name: string, sinceMs: number, nowMs: number, littleMs = 0): number {
    const lastTurnMs = this.#used.peek(name)?.atMs ?? -Infinity;
    return Math.max(littleMs, this.#usedBy(name, nowMs)) - creditMs(nowMs - Math.max(lastTurnMs, sinceMs));
  }

  #usedBy(name: string, nowMs: number): number {
    const used = this.#used.get(name);
    return used === undefined ? 0 : used.ms * 2 ** ((used.atMs - nowMs) / halfLifeMs);
  }
}

/** A wait of a second makes up for 2.5 ms, one of ten seconds for 2.5 s. */
const creditMs = (waitedMs: number): number => waitedMs ** 3 / 4e8;

/** A caller as text. */
export const nameOf = ({ peer, member }: Caller): string => (member === '' ? peer : `${peer} ${member}`);

/** What callers have used is the sum over many items: those who ask for little, and often, must go before a long item. */
const costWeight = 10;
/** The views of a page, of longer items, must not wait for all who ask for little. */
const maxCostMs = 50;

interface Waiting<Item> {
  readonly item: Item;
  readonly sinceMs: number;
}

/** The items of one caller, in order of arrival. */
type Line<Item> = Waiting<Item>[];

interface Sizes {
  readonly peers: number;
  readonly ofPeer: number;
  readonly members: number;
  readonly ofMember: number;
}

/** What decides whose turn it is, beside the time that callers have used. */
export interface TurnOrder<Item> {
  /** Of one caller, the item with the lowest is next; unset: in order of arrival. */
  readonly rankOf?: (item: Item) => number;
  /** Callers who have used less, in milliseconds, count as if they had used this much. */
  readonly littleMs?: number;
  /** What an item is expected to use, in milliseconds: it counts, too. */
  readonly costOf?: (item: Item) => number;
}

/**
 * Items that wait for their callers' turns: the next is of the peer that has used least time, of its members the one that
 * has used least (least attained service; Kleinrock, Queueing Systems II, 1976).
 */
export class TurnQueue<Item> {
  readonly #usage: Usage;
  readonly #order: TurnOrder<Item>;
  readonly #peers = new Map<string, Map<string, Line<Item>>>();
  #size = 0;

  constructor(usage: Usage, order: TurnOrder<Item> = {}) {
    this.#usage = usage;
    this.#order = order;
  }

  get size(): number {
    return this.#size;
  }

  /** Of how many peers items wait; how many of one peer, of how many members; and how many of one of these. */
  sizes({ peer, member }: Caller): Sizes {
    const members = this.#peers.get(peer) ?? new Map<string, Line<Item>>();
    const ofPeer = [...members.values()].reduce((sum, { length }) => sum + length, 0);
    const ofMember = members.get(member)?.length ?? 0;
    return { peers: this.#peers.size, ofPeer, members: members.size, ofMember };
  }

  add({ peer, member }: Caller, item: Item, nowMs = performance.now()): void {
    const members = this.#peers.get(peer) ?? new Map<string, Line<Item>>();
    const line = members.get(member) ?? [];
    line.push({ item, sinceMs: nowMs });
    this.#peers.set(peer, members.set(member, line));
    this.#size += 1;
  }

  /** @param mayBe whether a caller may have a turn now */
  take(mayBe: (caller: Caller) => boolean = () => true, nowMs = performance.now()): Item | undefined {
    const nextMember = (peer: string, members: Map<string, Line<Item>>) =>
      least(members, ([member, line]) =>
        mayBe({ peer, member }) ? this.#rank(nameOf({ peer, member }), line, nowMs) : null,
      )?.item;
    const next = least(this.#peers, ([peer, members]) => {
      const member = nextMember(peer, members);
      return member === undefined ? null : this.#rank(peer, member[1], nowMs);
    });
    if (next === undefined) return undefined;
    const [peer, members] = next.item;
    const [member, line] = nextMember(peer, members)!;
    const { item } = this.#nextOf(line);
    this.delete({ peer, member }, item);
    // of equal ones, the others are next
    moveToEnd(members, member);
    moveToEnd(this.#peers, peer);
    return item;
  }

  #rank(name: string, line: Line<Item>, nowMs: number): number {
    const { littleMs = 0, costOf } = this.#order;
    const costMs =
      costOf === undefined ? 0 : Math.min(maxCostMs, costWeight * costOf(this.#nextOf(line).item));
    return this.#usage.rank(name, line[0]!.sinceMs, nowMs, littleMs) + costMs;
  }

  #nextOf(line: Line<Item>): Waiting<Item> {
    const { rankOf } = this.#order;
    return rankOf === undefined ? line[0]! : least(line, ({ item }) => rankOf(item))!.item;
  }

  /** Removes an item that nobody waits for any more. */
  delete({ peer, member }: Caller, item: Item): void {
    const members = this.#peers.get(peer);
    const line = members?.get(member) ?? [];
    const at = line.findIndex((waiting) => waiting.item === item);
    if (at < 0) return;
    line.splice(at, 1);
    this.#size -= 1;
    if (line.length === 0) members!.delete(member);
    if (members!.size === 0) this.#peers.delete(peer);
  }
}

const moveToEnd = <Value>(map: Map<string, Value>, key: string): void => {
  const value = map.get(key);
  if (value === undefined) return;
  map.delete(key);
  map.set(key, value);
};

/** The first of those with the lowest rank; those without a rank do not count. */
const least = <Item>(items: Iterable<Item>, rankOf: (item: Item) => number | null) => {
  let next: { readonly item: Item; readonly rank: number } | undefined;
  for (const item of items) {
    const rank = rankOf(item);
    if (rank !== null && (next === undefined || rank < next.rank)) next = { item, rank };
  }
  return next;
};
