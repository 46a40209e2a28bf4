import { useState } from 'react';
import { Button, FileTrigger } from 'react-aria-components';
import type { PortalConfig, Source } from '../api/config.ts';
import { save } from '../api/download.ts';
import { useCatalogue } from '../api/use-answers.ts';
import { fileNameOf } from '../frame/file-name.ts';
import { useCohortTexts } from '../i18n/cohorts/use-cohort-texts.ts';
import { useLocale } from '../i18n/locale.tsx';
import { Window } from '../look/window.tsx';
import { currentPlace, go, lastExplored } from '../state/navigation.ts';
import { linkedCohort, viewOfCohort, type View } from '../state/view.ts';
import { CohortItem } from './cohort-item.tsx';
import {
  changeKept,
  cohortsIn,
  combinedFilter,
  fileOfCohorts,
  freeName,
  keptCohorts,
  useKept,
  withAdded,
  withChanged,
  withoutCohort,
  type Combination,
  type KeptCohort,
} from './kept.ts';
import { useSizes } from './use-sizes.ts';

interface DrawerProps {
  readonly config: PortalConfig;
  readonly source: Source;
  readonly onClose: () => void;
}

const maxCompared = 4;

/** The saved cohorts of this browser: to open, rename, combine, compare, and export. */
const CohortsDrawer = ({ config, source, onClose }: DrawerProps) => {
  const { t, list, language } = useLocale();
  const words = useCohortTexts();
  const own = useKept(source.id);
  const { data: catalogue } = useCatalogue(source, language);
  /** Names, because a cohort becomes a different object whenever it is changed. */
  const [ticked, setTicked] = useState<readonly string[]>([]);
  const sizes = useSizes(
    catalogue,
    own.map(({ filter }) => filter),
  );
  const chosen = ticked.flatMap((name) => own.filter((cohort) => cohort.name === name));
  const change = (cohort: KeptCohort, now: Partial<KeptCohort>): void => {
    const name = now.name === undefined ? cohort.name : freeName(now.name, keptCohorts());
    changeKept((before) => withChanged(before, cohort, { ...now, name }));
    setTicked((before) => before.map((each) => (each === cohort.name ? name : each)));
  };
  const remove = (cohort: KeptCohort): void => changeKept((before) => withoutCohort(before, cohort));
  const combine = (how: Combination): void => {
    const name = words.combined[how](chosen.map((cohort) => cohort.name)).slice(0, 60);
    const combined = { name, source: source.id, filter: combinedFilter(how, chosen) };
    changeKept((before) => withAdded(before, [combined]));
  };
  const leave = (act: () => void): void => {
    onClose();
    act();
  };
  const open = (cohort: KeptCohort): void =>
    leave(() => go('explore', { ...linkedSource(), ...viewOfCohort(cohort) }));
  const compare = (): void =>
    leave(() =>
      go('explore', {
        ...exploredIn(config, source.id),
        tab: 'compare',
        cohorts: chosen.map(linkedCohort),
      }),
    );
  return (
    <Window title={t.myCohorts} onClose={onClose} kind="drawer">
      <p className="small quiet">{own.length === 0 ? words.noKeptCohorts : words.keptHere}</p>
      {own.length > 0 && (
        <ul className="stack" aria-label={t.myCohorts}>
          {own.map((cohort, at) => (
            <CohortItem
              key={cohort.name}
              {...{ cohort, catalogue }}
              overview={sizes[at]?.data}
              isTicked={chosen.includes(cohort)}
              onToggle={() =>
                setTicked(
                  chosen.includes(cohort)
                    ? ticked.filter((name) => name !== cohort.name)
                    : [...ticked, cohort.name],
                )
              }
              onChange={(now) => change(cohort, now)}
              onRemove={() => remove(cohort)}
              onOpen={() => open(cohort)}
            />
          ))}
        </ul>
      )}
      {own.length > 1 && (
        <div className="row" role="group" aria-label={words.tickedCohorts}>
          <Button
            className="plain main"
            isDisabled={chosen.length < 2 || chosen.length > maxCompared}
            onPress={compare}
          >
            {t.compare}
          </Button>
          {(['union', 'intersection', 'difference'] as const).map((how) => (
            <Button key={how} className="plain" isDisabled={chosen.length < 2} onPress={() => combine(how)}>
              {words.combinations[how]}
            </Button>
          ))}
          <span className="small quiet">
            {chosen.length === 0 ? words.tickTwo : list(chosen.map(({ name }) => name))}
          </span>
        </div>
      )}
      <Files kept={own} source={source} />
    </Window>
  );
};

/** Exports the cohorts of a source to a file, and imports those of a file. */
const Files = ({ kept, source }: { readonly kept: readonly KeptCohort[]; readonly source: Source }) => {
  const { t } = useLocale();
  const words = useCohortTexts();
  const [isBroken, setBroken] = useState(false);
  const importFrom = async (file: File | undefined): Promise<void> => {
    const read = file === undefined ? [] : (cohortsIn(await file.text()) ?? []);
    const own = read.filter((cohort) => cohort.source === source.id);
    setBroken(own.length === 0);
    changeKept((before) => withAdded(before, own));
  };
  return (
    <>
      <div className="row">
        <Button
          className="plain"
          isDisabled={kept.length === 0}
          onPress={() =>
            save(
              new Blob([fileOfCohorts(kept)], { type: 'application/json' }),
              fileNameOf(source, t.cohorts, 'json'),
            )
          }
        >
          {words.exportCohorts}
        </Button>
        <FileTrigger
          acceptedFileTypes={['application/json', '.json']}
          onSelect={(files) => void importFrom(files?.[0])}
        >
          <Button className="plain">{words.importCohorts}</Button>
        </FileTrigger>
      </div>
      {isBroken && (
        <p className="note warn" role="alert">
          {words.brokenCohorts}
        </p>
      )}
    </>
  );
};

/** The source as links name it: the first needs no name. */
const linkedSource = (): Pick<View, 'source'> => {
  const { source } = currentPlace().view;
  return source === undefined ? {} : { source };
};

/** The view of a source in Explore, for returning to it. */
const exploredIn = (config: PortalConfig, id: string): View => {
  const { page, view } = currentPlace();
  const { record: _record, ...seen } = page === 'explore' || page === 'record' ? view : lastExplored();
  return (seen.source ?? config.sources[0]?.id) === id ? seen : linkedSource();
};

export default CohortsDrawer;
