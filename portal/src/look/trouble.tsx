import { Button } from 'react-aria-components';
import { ApiError, type FailureKind } from '../api/server.ts';
import { useSession } from '../api/use-answers.ts';
import { useLocale } from '../i18n/locale.tsx';
import { AgainIcon } from './icons.tsx';

/** The server's own words tell what would do. */
const detailed: ReadonlySet<FailureKind> = new Set(['input', 'unavailable', 'tooCostly']);

/** An error for users, with the next step. */
export const Trouble = ({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }) => {
  const { t, number } = useLocale();
  const { state, signIn } = useSession();
  const kind = error instanceof ApiError ? error.kind : 'server';
  const detail = error instanceof ApiError && detailed.has(kind) ? error.message : null;
  return (
    <div className="note warn" role="alert">
      <p>
        {kind === 'forbidden' && state.kind === 'in'
          ? t.session.forbidden(state.tokens.name)
          : kind === 'signIn' && signIn === null
            ? t.session.cannot
            : error instanceof ApiError && error.excess !== null
              ? t.tooCostly(number(error.excess))
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
