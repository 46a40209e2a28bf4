import { QueryClient, hashKey, type QueryKey } from '@tanstack/react-query';
import { readConfig } from './api/config.ts';
import { ApiError } from './api/server.ts';
import { prefetch } from './prefetch.ts';
import { firstLanguage, textsOf } from './i18n/language.ts';
import './look/sheet.css';
import { applyTheme } from './look/theme.ts';
import { expectPage } from './pages.ts';
import { pageOfAddress, startNavigation } from './state/navigation.ts';

/** As the library makes it, but a question that holds thousands of values is written down once, not at every drawing. */
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
      // the server has retried what is worth it; people have a button
      retry: false,
      networkMode: 'always',
      queryKeyHashFn: hashOfKey,
    },
  },
});

/** Nothing here draws: what does is loaded and read while the server already works on the first question. */
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
    // the page repeats what fails here, and reports it
    prefetch(client, config).catch(() => undefined);
    (await drawing).drawApp(client, config, await texts);
  } catch (error) {
    const failure = error instanceof ApiError ? error : new ApiError('server', String(error));
    (await drawing).drawFailure(failure, await texts);
  }
};

void start();
