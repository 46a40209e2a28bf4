import { QueryClient, hashKey, type QueryKey } from '@tanstack/react-query';
import { readConfig } from './api/config.ts';
import { ApiError } from './api/server.ts';
import { prefetch } from './prefetch.ts';
import { firstLanguage, textsOf } from './i18n/language.ts';
import './look/sheet.css';
import { applyTheme } from './look/theme.ts';
import { expectPage } from './pages.ts';
import { pageOfAddress, startNavigation } from './state/navigation.ts';

/** Like the library's own function, but a query with thousands of values is serialised once, not at every rendering. */
const hashOfKey = (key: QueryKey): string => key.map(hashOfPart).join('\n');

const hashes = new WeakMap<object, string>();

const hashOfPart = (part: unknown): string => {
  if (typeof part !== 'object' || part === null) return hashKey([part]);
  const known = hashes.get(part);
  if (known !== undefined) return known;
  const hash = hashKey([part]);
  hashes.set(part, hash);
  return hash;
};

const client = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 60_000,
      refetchOnWindowFocus: false,
      // the server has retried where it helps; users have a button
      retry: false,
      networkMode: 'always',
      queryKeyHashFn: hashOfKey,
    },
  },
});

/** Renders nothing itself: the rendering code is loaded while the server already works on the first query. */
const start = async (): Promise<void> => {
  const base = new URL('.', document.baseURI);
  applyTheme();
  const drawing = import('./draw.tsx').then(({ drawApp, drawFailure }) => ({ drawApp, drawFailure }));
  const texts = textsOf(firstLanguage());
  expectPage(pageOfAddress());
  try {
    const config = await readConfig(base);
    if (config.signIn != null) await (await import('./sign-in/resume.ts')).startSignIn(config.signIn, base);
    startNavigation(base, config.pages);
    // the page repeats failed queries, and reports them
    prefetch(client, config).catch(() => undefined);
    (await drawing).drawApp(client, config, await texts);
  } catch (error) {
    const failure = error instanceof ApiError ? error : new ApiError('server', String(error));
    (await drawing).drawFailure(failure, await texts);
  }
};

void start();
