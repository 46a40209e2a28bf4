import { useSession } from '../api/use-answers.ts';
import { useLocale } from '../i18n/locale.tsx';

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
