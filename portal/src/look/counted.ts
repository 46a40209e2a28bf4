import type { Catalogue } from '../api/catalogue.ts';
import { objectName, recordNouns } from '../api/nouns.ts';
import { ofRecords, type Unit } from '../api/units.ts';
import { useLocale } from '../i18n/locale.tsx';

/** The noun for a number of records: "donors", or "records" in languages for which the owners set none. */
export const useRecords = (
  catalogue: Pick<Catalogue, 'documentType' | 'source'> | undefined,
): ((count: number) => string) => {
  const { t, language } = useLocale();
  const own = catalogue === undefined ? null : recordNouns(catalogue, language);
  if (own === null) return t.records;
  return (count) => (t.records(count) === t.records(1) ? own.one : own.other);
};

/** The nouns for numbers of each unit. */
export const useCounted = (catalogue: Catalogue): ((unit: Unit, count: number) => string) => {
  const { t } = useLocale();
  const records = useRecords(catalogue);
  return (unit, count) =>
    unit === ofRecords ? records(count) : t.countedIn(objectName(unit, catalogue), count);
};
