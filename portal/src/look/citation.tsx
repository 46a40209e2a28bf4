import { Button } from 'react-aria-components';
import { save } from '../api/download.ts';
import { fileNameOf } from '../frame/file-name.ts';
import { useLocale } from '../i18n/locale.tsx';
import { bibtexOf, risOf, type Cited } from './cite.ts';
import { Copied } from './copied.tsx';

const files = [
  { name: 'BibTeX', ending: 'bib', type: 'application/x-bibtex', of: bibtexOf },
  { name: 'RIS', ending: 'ris', type: 'application/x-research-info-systems', of: risOf },
] as const;

/** A citation as a sentence, and as files for reference managers. */
export const Cite = (cited: Omit<Cited, 'day'>) => {
  const { t, day, list } = useLocale();
  const today = new Date().toISOString().slice(0, 10);
  const whole: Cited = { ...cited, day: today };
  const counted = cited.institutions.map(({ name, count }) => (count === null ? name : `${name} (${count})`));
  const text = t.citation(cited.title, list(counted), cited.portal, cited.url, day(today));
  return (
    <div className="stack">
      <Copied label={t.cite} text={text} isLong />
      <div className="row">
        {files.map(({ name, ending, type, of }) => (
          <Button
            key={name}
            className="plain"
            onPress={() =>
              save(new Blob([of(whole)], { type }), fileNameOf({ name: cited.portal }, t.cite, ending))
            }
          >
            {name}
          </Button>
        ))}
      </div>
    </div>
  );
};
