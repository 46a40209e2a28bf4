import { lazy } from 'react';
import { Button } from 'react-aria-components';
import { isGrowing } from '../../api/answer.ts';
import { useRecords } from '../../look/counted.ts';
import { shownRecords } from '../../look/honest.ts';
import { useLocale } from '../../i18n/locale.tsx';
import { withFilters, withNodes } from '../../state/edit.ts';
import { usePlace } from '../../state/use-place.ts';
import type { Exploration } from '../exploration.ts';
import { Parts } from './parts.tsx';
import { CloseIcon, CohortIcon, ShareIcon, UndoIcon } from '../../look/icons.tsx';
import { nameOf } from '../../look/node-colours.ts';
import { Opening } from '../../look/opening.tsx';

const CohortDialog = lazy(() => import('./cohort-dialog.tsx'));
const ShareDialog = lazy(() => import('./share-dialog.tsx'));
const RequestDialog = lazy(() => import('../../request/request-dialog.tsx'));
const DownloadDialog = lazy(() => import('../table/download-dialog.tsx'));

/** The filter as an editable sentence, and its actions. */
export const Sentence = (exploration: Exploration) => {
  const { t } = useLocale();
  const { depth } = usePlace();
  const { view, change } = exploration;
  const records = useRecords(exploration.catalogue);
  const filters = view.filters ?? [];
  const isWhole = filters.length === 0 && view.nodes === undefined;
  return (
    <div className="sentence" role="group" aria-label={t.filter}>
      <span className="word">{isWhole ? t.allOf(records(2)) : t.withOf(records(2))}</span>
      <Parts {...exploration} />
      {view.nodes !== undefined && <Institutions {...exploration} nodes={view.nodes} />}
      <div className="acts">
        <Button className="plain" isDisabled={depth === 0} onPress={() => history.back()}>
          <UndoIcon /> {t.undo}
        </Button>
        {!isWhole && (
          <Button className="plain" onPress={() => change(withNodes(withFilters(view, []), []))}>
            {t.clear}
          </Button>
        )}
        <Opening label={t.saveCohort} icon={<CohortIcon />}>
          {(close) => <CohortDialog {...exploration} onClose={close} />}
        </Opening>
        <Opening label={t.share} icon={<ShareIcon />}>
          {(close) => <ShareDialog {...exploration} onClose={close} />}
        </Opening>
        <Opening label={t.request}>{(close) => <RequestDialog {...exploration} onClose={close} />}</Opening>
        {exploration.config.flags.downloads && <DownloadButton {...exploration} />}
      </div>
    </div>
  );
};

/** The queried institutions, as a part of the sentence. */
const Institutions = ({
  catalogue,
  view,
  change,
  nodes,
}: Exploration & { readonly nodes: readonly string[] }) => {
  const { t } = useLocale();
  const names = nodes.slice(0, namesShown).map((nodeId) => nameOf(catalogue, nodeId));
  const text = `${names.join(` ${t.or} `)}${nodes.length > namesShown ? ` +${nodes.length - namesShown}` : ''}`;
  return (
    <span className="chip plainly">
      <span>
        <i>{t.institution}</i> {text}
      </span>
      <Button
        className="bare"
        aria-label={t.remove(`${t.institution} ${text}`)}
        onPress={() => change(withNodes(view, []))}
      >
        <CloseIcon />
      </Button>
    </span>
  );
};

const namesShown = 4;

const DownloadButton = (exploration: Exploration) => {
  const { t, number } = useLocale();
  const { overview, isStale } = exploration;
  const isKnown = overview !== null && !isStale && !isGrowing(overview);
  const total = isKnown ? shownRecords(overview) : null;
  return (
    <Opening
      label={total === null || total === 0 ? t.download : t.downloadRows(number(total), total)}
      isMain
      isDisabled={total === 0}
    >
      {(close) => <DownloadDialog {...exploration} onClose={close} />}
    </Opening>
  );
};
