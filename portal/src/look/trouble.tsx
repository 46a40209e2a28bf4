import { Button } from 'react-aria-components';
import { ApiError } from '../api/server.ts';
import { useSession } from '../api/use-answers.ts';
import { useLocale } from '../i18n/locale.tsx';
import { AgainIcon } from './icons.tsx';

/** An error for users, with the next step. */
export const Trouble = ({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }) => {
  const { t } = useLocale();
  const { state, signIn } = useSession();
  const kind = error instanceof ApiError ? error.kind : 'server';
  const detail =
    error instanceof ApiError && (kind === 'input' || kind === 'unavailable') ? error.message : null;
  return (
    <div className="note warn" role="alert">
      <p>
        {kind === 'forbidden' && state.kind === 'in'
          ? t.session.forbidden(state.tokens.name)
          : kind === 'signIn' && signIn === null
            ? t.session.cannot
            : t.trouble[kind]}
      </p>
      {detail !== null && <p className="small quiet">{detail}</p>}
      {kind === 'signIn' && signIn !== null && (
        <Button className="plain main" onPress={() => void signIn()}>
          {t.session.signIn}
        </Button>
      )}
      {onRetry !== undefined && (
        <Button className="plain" onPress={onRetry}>
          <AgainIcon /> {t.tryAgain}
        </Button>
      )}
    </div>
  );
};
