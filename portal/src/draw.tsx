import { QueryClientProvider, type QueryClient } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { setInteractionModality } from 'react-aria-components';
import type { PortalConfig } from './api/config.ts';
import type { ApiError } from './api/server.ts';
import { App } from './app.tsx';
import type { Texts } from './i18n/language.ts';
import { LocaleProvider } from './i18n/locale.tsx';
import { Trouble } from './look/trouble.tsx';

// React Aria renders tables again when users change from keyboard to mouse: avoid that at the first click
setInteractionModality('pointer');

const rootHere = (): Root => createRoot(document.querySelector('#portal')!);

/** Renders the pages. */
export const drawApp = (client: QueryClient, config: PortalConfig, texts: Texts): void =>
  rootHere().render(
    <StrictMode>
      <QueryClientProvider client={client}>
        <LocaleProvider first={texts}>
          <App config={config} />
        </LocaleProvider>
      </QueryClientProvider>
    </StrictMode>,
  );

/** Renders the reason why there are no pages. */
export const drawFailure = (failure: ApiError, texts: Texts): void =>
  rootHere().render(
    <LocaleProvider first={texts}>
      <main className="page">
        <Trouble error={failure} onRetry={() => location.reload()} />
      </main>
    </LocaleProvider>,
  );
