import { useSyncExternalStore } from 'react';
import { followBusy, isBusy } from '../api/busy.ts';
import { useSession } from '../api/use-answers.ts';
import { useLocale } from '../i18n/locale.tsx';

/** Over every page, while its requests wait for a server that is too busy. */
export const BusyNote = () => {
  const { t } = useLocale();
  const isShown = useSyncExternalStore(followBusy, isBusy);
  return (
    <div className="busy" role="status">
      {isShown && <p className="note">{t.busy}</p>}
    </div>
  );
};

/** Above every page: a session that ended, or a sign-in that failed. Without it, smaller numbers would look correct. */
export const SessionNote = () => {
  const { t } = useLocale();
  const { state, signIn } = useSession();
  if (state.kind !== 'ended' && state.kind !== 'failed') return null;
  return (
    <div className="note warn page" role="alert">
      <p>{state.kind === 'ended' ? t.session.ended : t.session.failed}</p>
      {state.kind === 'failed' && <p className="small quiet">{state.reason}</p>}
      <button className="plain" onClick={() => void signIn?.()}>
        {t.session.again}
      </button>
    </div>
  );
};
