import { Button } from 'react-aria-components';
import { isOfWords } from '../api/filter.ts';
import { useMeant } from './meant.ts';
import { useLocale } from '../i18n/locale.tsx';
import { countText } from '../look/honest.ts';
import { withSearch } from '../state/edit.ts';
import type { Exploration } from '../explore/exploration.ts';

/** If the words of the filter find nothing: similar words, and how many records they find. */
const DidYouMean = ({ catalogue, config, view, change }: Exploration) => {
  const { t, number } = useLocale();
  const search = view.filters?.find(isOfWords);
  const names = search?.content.fieldNames ?? [];
  const meant = useMeant({
    ...{ catalogue, view, names },
    text: search?.content.value ?? '',
    hidden: config.look.hiddenFacets ?? [],
    isWanted: search !== undefined,
  });
  if (meant === null) return null;
  return (
    <Button className="plain main" onPress={() => change(withSearch(view, names, meant.text))}>
      {t.didYouMean(meant.text)} {countText(meant.count, number, t)}
    </Button>
  );
};

export default DidYouMean;
