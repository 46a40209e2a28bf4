import { useSyncExternalStore } from 'react';
import { followBusy, isBusy } from '../api/busy.ts';
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
