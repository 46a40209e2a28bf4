import type { Disclosure, NodePart } from '../api/answer.ts';
import { useLocale } from '../i18n/locale.tsx';

/** What an institution discloses about its records, and the date of its release. */
export const WithheldMark = ({ disclosure }: { readonly disclosure: Disclosure | null }) => {
  const { t, day, number } = useLocale();
  if (disclosure === null) return null;
  const { tier, threshold, date, waits } = disclosure;
  return (
    <span className="badge" title={t.withheldWhy}>
      {t.tiers[tier](threshold)}
      {date === null ? '' : ` · ${t.released(day(date))}`}
      {waits === undefined ? '' : ` · ${t.changesWait(number(waits))}`}
    </span>
  );
};

/** Why records, comparisons and files lack some institutions; empty if none withholds any. */
export const WithheldNote = ({ nodes }: { readonly nodes: readonly NodePart[] }) => {
  const { t, list } = useLocale();
  const names = nodes.flatMap(({ name, disclosure }) => (disclosure === null ? [] : [name]));
  return names.length === 0 ? null : (
    <p className="note" data-testid="withheld">
      {t.withheldBy(list(names))}
    </p>
  );
};
