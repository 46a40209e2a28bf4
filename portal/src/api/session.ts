/** What signing in gave. It is kept in memory only: a reload or another tab begins without. */
export interface Tokens {
  readonly access: string;
  /** null: the provider does not say. */
  readonly expiresAtMs: number | null;
  /** How the provider calls the person. */
  readonly name: string;
  /** null: only signing in again helps. */
  readonly renew: (() => Promise<Tokens>) | null;
  /** Forgets the tokens at the provider and leaves the page. */
  readonly signOut: () => Promise<void>;
}

/** Whether somebody is signed in, as the pages show it. */
export type SessionState =
  | { readonly kind: 'out' }
  | { readonly kind: 'in'; readonly tokens: Tokens }
  /** The token is no longer taken and could not be renewed. */
  | { readonly kind: 'ended' }
  /** Signing in did not work; the provider's words, where it has some. */
  | { readonly kind: 'failed'; readonly reason: string };

export interface Session {
  readonly state: SessionState;
  /** Leaves for the provider and comes back to this view; null: this server has no sign-in. */
  readonly signIn: (() => Promise<void>) | null;
}

let session: Session = { state: { kind: 'out' }, signIn: null };
const listeners = new Set<() => void>();

/** Changes the session and renders whatever depends on it. */
export const changeSession = (change: Partial<Session>): void => {
  session = { ...session, ...change };
  listeners.forEach((listener) => listener());
};

/** The session as it is now. */
export const currentSession = (): Session => session;

/** Calls a listener at each change of the session, until the function it returns is called. */
export const followSession = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/** A token that is about to expire is renewed before it is sent. */
const marginMs = 10_000;

/** The token that a request carries; null: nobody is signed in. A promise only where it is awaited. */
export const bearer = (): string | null | Promise<string | null> => {
  if (session.state.kind !== 'in') return null;
  const { access, expiresAtMs } = session.state.tokens;
  if (expiresAtMs === null || expiresAtMs - Date.now() > marginMs) return access;
  return renewed(access).then((next) => next ?? access);
};

let renewing: Promise<string | null> | null = null;

/** Another token in the place of one that is not taken any more; null: there is none. Requested once at a time. */
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

/** The server takes this token no longer: what everybody may see is still there. */
export const endSession = (token: string): void => {
  if (session.state.kind === 'in' && session.state.tokens.access === token)
    changeSession({ state: { kind: 'ended' } });
};
