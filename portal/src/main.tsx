import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { hashOfKey } from './api/hash-of-key.ts';
import { readConfig } from './api/config.ts';
import { ApiError } from './api/server.ts';
import { App } from './app.tsx';
import { LocaleProvider } from './i18n/locale.tsx';
import './look/sheet.css';
import { applyTheme } from './look/theme.ts';
import { Trouble } from './look/trouble.tsx';
import { expectPage } from './pages.ts';
import { pageOfAddress, startNavigation } from './state/navigation.ts';

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

const start = async (): Promise<void> => {
  const root = createRoot(document.querySelector('#portal')!);
  const base = new URL('.', document.baseURI);
  applyTheme();
  expectPage(pageOfAddress());
  try {
    const config = await readConfig(base);
    if (config.signIn != null) await (await import('./sign-in/resume.ts')).startSignIn(config.signIn, base);
    startNavigation(base, config.pages);
    root.render(
      <StrictMode>
        <QueryClientProvider client={client}>
          <LocaleProvider>
            <App config={config} />
          </LocaleProvider>
        </QueryClientProvider>
      </StrictMode>,
    );
  } catch (error) {
    const failure = error instanceof ApiError ? error : new ApiError('server', String(error));
    root.render(
      <LocaleProvider>
        <main className="page">
          <Trouble error={failure} onRetry={() => location.reload()} />
        </main>
      </LocaleProvider>,
    );
  }
};

void start();
