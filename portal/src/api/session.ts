/** The result of signing in. Kept in memory only: a reload or another tab begins without it. */
export interface Tokens {
  readonly access: string;
  /** null: the provider does not state it. */
  readonly expiresAtMs: number | null;
  /** The provider's name for the user. */
  readonly name: string;
  /** null: only signing in again helps. */
  readonly renew: (() => Promise<Tokens>) | null;
  /** Forgets the tokens at the provider and leaves the page. */
  readonly signOut: () => Promise<void>;
}

/** Whether a user is signed in, as the pages show it. */
export type SessionState =
  | { readonly kind: 'out' }
  | { readonly kind: 'in'; readonly tokens: Tokens }
  /** The token is no longer accepted and could not be renewed. */
  | { readonly kind: 'ended' }
  /** Signing in failed; with the provider's message, if it has one. */
  | { readonly kind: 'failed'; readonly reason: string };

export interface Session {
  readonly state: SessionState;
  /** Leaves for the provider and comes back to this view; null: this server has no sign-in. */
  readonly signIn: (() => Promise<void>) | null;
}

let session: Session = { state: { kind: 'out' }, signIn: null };
const listeners = new Set<() => void>();

/** Changes the session and re-renders everything that depends on it. */
export const changeSession = (change: Partial<Session>): void => {
  session = { ...session, ...change };
  listeners.forEach((listener) => listener());
};

/** The current session. */
export const currentSession = (): Session => session;

/** Calls a listener at each change of the session, until the function it returns is called. */
export const followSession = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/** A token that is about to expire is renewed before it is sent. */
const marginMs = 10_000;

/** The token for a request; null: no user is signed in. A promise only if renewing must be awaited. */
export const bearer = (): string | null | Promise<string | null> => {
  if (session.state.kind !== 'in') return null;
  const { access, expiresAtMs } = session.state.tokens;
  if (expiresAtMs === null || expiresAtMs - Date.now() > marginMs) return access;
  return renewed(access).then((next) => next ?? access);
};

let renewing: Promise<string | null> | null = null;

/** Replaces a token that is no longer accepted; null: there is no other. Requested once at a time. */
export const renewed = async (old: string): Promise<string | null> => {
  if (session.state.kind !== 'in') return null;
  const { tokens } = session.state;
  if (tokens.access !== old) return tokens.access;
  if (tokens.renew === null) return null;
  renewing ??= take(tokens.renew).finally(() => (renewing = null));
  return renewing;
};

const take = async (renew: () => Promise<Tokens>): Promise<string | null> => {
  try {
    const tokens = await renew();
    changeSession({ state: { kind: 'in', tokens } });
    return tokens.access;
  } catch {
    // refused by the provider: requests continue without a token, and the page says that the session has ended
    return null;
  }
};

/** The server no longer accepts this token: public data remains visible. */
export const endSession = (token: string): void => {
  if (session.state.kind === 'in' && session.state.tokens.access === token)
    changeSession({ state: { kind: 'ended' } });
};
