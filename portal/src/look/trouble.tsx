import { RotateCw } from 'lucide-react';
import { Button } from 'react-aria-components';
import { ApiError } from '../api/server.ts';
import { useLocale } from '../i18n/locale.tsx';

/** What went wrong, in words for people, with the way out. */
export const Trouble = ({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }) => {
  const { t } = useLocale();
  const kind = error instanceof ApiError ? error.kind : 'server';
  const detail =
    error instanceof ApiError && (kind === 'input' || kind === 'unavailable') ? error.message : null;
  return (
    <div className="note warn" role="alert">
      <p>{t.trouble[kind]}</p>
      {detail !== null && <p className="small quiet">{detail}</p>}
      {onRetry !== undefined && (
        <Button className="plain" onPress={onRetry}>
          <RotateCw className="icon" aria-hidden /> {t.tryAgain}
        </Button>
      )}
    </div>
  );
};
