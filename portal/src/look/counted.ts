import type { Catalogue } from '../api/catalogue.ts';
import { objectName, objectOf, recordNouns } from '../api/nouns.ts';
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

/** The unit of a facet's counts: records, or the objects of its nested list. */
export const useCounted = (path: string, catalogue: Catalogue): ((count: number) => string) => {
  const { t } = useLocale();
  const records = useRecords(catalogue);
  const object = objectOf(path, catalogue);
  return object === null ? records : (count) => t.countedIn(objectName(object, catalogue), count);
};
