import { Button } from 'react-aria-components';
import { isOfWords } from '../api/filter.ts';
import type { Exploration } from '../explore/exploration.ts';
import { useLocale } from '../i18n/locale.tsx';
import { useRecords } from '../look/counted.ts';
import { countText } from '../look/honest.ts';
import { withSearch } from '../state/edit.ts';
import { useMeant } from './meant.ts';
import { useParts } from './use-parts.ts';
import { useSearchTexts } from './use-search-texts.ts';

/** If a filter finds nothing: which of its conditions and words no record has, and what is near. */
const DidYouMean = ({ catalogue, config, view, change }: Exploration) => {
  const { t, number, list } = useLocale();
  const words = useSearchTexts();
  const records = useRecords(catalogue);
  const search = view.filters?.find(isOfWords);
  const names = search?.content.fieldNames ?? [];
  const meant = useMeant({
    ...{ catalogue, view, names },
    text: search?.content.value ?? '',
    hidden: config.look.hiddenFacets ?? [],
    isWanted: search !== undefined,
  });
  const parts = useParts(catalogue, view, true);
  const lacking = parts.filter(({ alone }) => alone?.upper === 0).map(({ text }) => text);
  const near = parts.filter(({ without }) => without !== null && without.upper > 0);
  return (
    <>
      {lacking.length > 0 && <p>{words.noneHas(list(lacking))}</p>}
      {meant !== null && (
        <Button className="plain main" onPress={() => change(withSearch(view, names, meant.text))}>
          {words.didYouMean(meant.text)} {countText(meant.count, number, t)}
        </Button>
      )}
      {near.map(({ text, without, rest }) => (
        <Button key={text} className="plain" onPress={() => change(rest)}>
          {words.without(text)}: {countText(without!, number, t)} {records(without!.count)}
        </Button>
      ))}
    </>
  );
};

export default DidYouMean;
