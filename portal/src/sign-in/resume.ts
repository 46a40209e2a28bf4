import type { SignInConfig } from '../api/config.ts';
import { changeSession } from '../api/session.ts';
import { addressKept, isBack } from './kept.ts';

/**
 * Enables signing in, and completes a sign-in that the provider redirects back. The code for the provider is loaded only
 * then.
 * @param root the base address of the pages, the only one that the provider returns to
 */
export const startSignIn = async (config: SignInConfig, root: URL): Promise<void> => {
  const signIn = async (): Promise<void> => {
    try {
      const { leaveForProvider } = await import('./code-flow.ts');
      await leaveForProvider(config, root);
    } catch (error) {
      changeSession({ state: { kind: 'failed', reason: reasonOf(error) } });
    }
  };
  changeSession({ signIn });
  const back = new URL(location.href);
  if (!isBack(back, root)) return;
  // the code is used once, and must not stay in the history
  history.replaceState(null, '', addressKept(root));
  try {
    const { tokensOf } = await import('./code-flow.ts');
    changeSession({ state: { kind: 'in', tokens: await tokensOf(config, root, back) } });
  } catch (error) {
    changeSession({ state: { kind: 'failed', reason: reasonOf(error) } });
  }
};

const reasonOf = (error: unknown): string => {
  const { error_description: described, error: code } = error as {
    error_description?: unknown;
    error?: unknown;
  };
  if (typeof described === 'string' && described !== '') return described;
  if (typeof code === 'string' && code !== '') return code;
  return error instanceof Error ? error.message : String(error);
};
