import { Button } from 'react-aria-components';
import type { Overview } from '../api/answer.ts';
import { isOfWords } from '../api/filter.ts';
import type { Exploration } from '../explore/exploration.ts';
import { useLocale } from '../i18n/locale.tsx';
import { useRecords } from '../look/counted.ts';
import { countText, lackingNodes } from '../look/honest.ts';
import { withFilters, withSearch } from '../state/edit.ts';
import { useMeant } from './meant.ts';
import { useParts } from './use-parts.ts';
import { useSearchTexts } from './use-search-texts.ts';

/** Explains a zero: who was asked, which conditions and words no record has, and what is near. */
const Nothing = (exploration: Exploration & { readonly overview: Overview }) => {
  const { catalogue, overview, view, change } = exploration;
  const { list } = useLocale();
  const words = useSearchTexts();
  const lacking = lackingNodes(overview);
  const isFiltered = (view.filters ?? []).length > 0;
  return (
    <div className="note">
      <p>
        <b>{words.nothingFound}</b>
      </p>
      {catalogue.source.kind === 'network' && (
        <p>
          {overview.partial
            ? words.nothingFoundPartial
            : lacking.length > 0
              ? words.nothingFoundLacking(list(lacking))
              : words.nothingFoundWhy}
        </p>
      )}
      {isFiltered && <Near {...exploration} />}
      {isFiltered && (
        <Button className="plain" onPress={() => change(withFilters(view, []))}>
          {words.clearFilter}
        </Button>
      )}
    </div>
  );
};

/** Which conditions and words no record has, and what would be found without them. */
const Near = ({ catalogue, config, view, change }: Exploration) => {
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

export default Nothing;
