const key = 'tributary.sign-in';

/** The state kept in this tab until the provider redirects back. */
export interface Kept {
  readonly verifier: string;
  readonly state: string;
  readonly nonce: string;
  /** The page's address, including the view in its hash. */
  readonly address: string;
}

/** Stores the state before leaving for the provider. */
export const keep = (kept: Kept): void => sessionStorage.setItem(key, JSON.stringify(kept));

/** null: this tab did not leave to sign in. */
export const kept = (): Kept | null => {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null') as Kept | null;
  } catch {
    return null;
  }
};

/** Removes the state: an answer of the provider is valid only once. */
export const forgetKept = (): void => sessionStorage.removeItem(key);

/** Whether an address is the provider's answer. */
export const isBack = ({ origin, pathname, searchParams }: URL, root: URL): boolean =>
  origin === root.origin &&
  pathname === root.pathname &&
  searchParams.has('state') &&
  (searchParams.has('code') || searchParams.has('error'));

/** The address from before signing in, never one outside the pages. */
export const addressKept = (root: URL): string => {
  const { address } = kept() ?? {};
  return address?.startsWith(root.href) === true ? address : root.href;
};
