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
  const kept = useKept();
  const { data: catalogue } = useCatalogue(source, language);
  /** Names, because a cohort becomes a different object whenever it is changed. */
  const [ticked, setTicked] = useState<readonly string[]>([]);
  const own = kept.filter((cohort) => cohort.source === source.id);
  const others = kept.filter((cohort) => cohort.source !== source.id);
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
    leave(() => go('explore', { ...sourceView(config, cohort.source), ...viewOfCohort(cohort) }));
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
      <p className="small quiet">{kept.length === 0 ? words.noKeptCohorts : words.keptHere}</p>
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
      <OfOthers {...{ config, others }} onOpen={open} onRemove={remove} />
      <Files {...{ kept, source }} />
    </Window>
  );
};

interface OfOthersProps {
  readonly config: PortalConfig;
  readonly others: readonly KeptCohort[];
  readonly onOpen: (cohort: KeptCohort) => void;
  readonly onRemove: (cohort: KeptCohort) => void;
}

/** Cohorts of other sources: by name, with their source. */
const OfOthers = ({ config, others, onOpen, onRemove }: OfOthersProps) => {
  const { t } = useLocale();
  const words = useCohortTexts();
  if (others.length === 0) return null;
  return (
    <>
      <h3>{words.ofOtherSources}</h3>
      <ul className="stack">
        {others.map((cohort) => (
          <li key={`${cohort.source} ${cohort.name}`} className="row">
            <Button className="bare" onPress={() => onOpen(cohort)}>
              {cohort.name}
            </Button>
            <span className="small quiet">
              {config.sources.find(({ id }) => id === cohort.source)?.name ?? cohort.source}
            </span>
            <Button className="bare" aria-label={t.remove(cohort.name)} onPress={() => onRemove(cohort)}>
              ×
            </Button>
          </li>
        ))}
      </ul>
    </>
  );
};

/** Exports all cohorts to a file, and imports those of a file. */
const Files = ({ kept, source }: { readonly kept: readonly KeptCohort[]; readonly source: Source }) => {
  const { t } = useLocale();
  const words = useCohortTexts();
  const [isBroken, setBroken] = useState(false);
  const importFrom = async (file: File | undefined): Promise<void> => {
    const read = file === undefined ? null : cohortsIn(await file.text());
    setBroken(read === null);
    if (read === null) return;
    changeKept((before) => withAdded(before, read));
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

/** The source for links; the first source needs no name. */
const sourceView = ({ sources }: PortalConfig, id: string): { readonly source?: string } => {
  const { source } = currentPlace().view;
  return id === (source ?? sources[0]?.id) && source === undefined ? {} : { source: id };
};

/** The view of a source in Explore, for returning to it. */
const exploredIn = (config: PortalConfig, id: string): View => {
  const { page, view } = currentPlace();
  const { record: _record, ...seen } = page === 'explore' || page === 'record' ? view : lastExplored();
  return (seen.source ?? config.sources[0]?.id) === id ? seen : sourceView(config, id);
};

export default CohortsDrawer;
