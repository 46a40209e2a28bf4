import { useQuery } from '@tanstack/react-query';
import { lazy, useEffect, useRef, useState } from 'react';
import { Button, ProgressBar, Radio, RadioGroup } from 'react-aria-components';
import { chosenColumns, type Column } from '../../api/catalogue.ts';
import { download, planDownload, save, type FileType, type Plan } from '../../api/download.ts';
import { useLocale } from '../../i18n/locale.tsx';
import { shownRecords } from '../../look/honest.ts';
import { ColumnsIcon } from '../../look/icons.tsx';
import { Opening } from '../../look/opening.tsx';
import { Trouble } from '../../look/trouble.tsx';
import { Window } from '../../look/window.tsx';
import type { Exploration } from '../exploration.ts';
import { knownSort } from './pages.tsx';
import { useDownloadTexts } from './use-download-texts.ts';

const ColumnWindow = lazy(() => import('./column-window.tsx'));

type Progress =
  | { readonly kind: 'before' }
  | { readonly kind: 'running'; readonly bytes: number; readonly share: number | null }
  | { readonly kind: 'done'; readonly bytes: number }
  | { readonly kind: 'failed'; readonly error: unknown };

/** Downloads the filtered records as a file; of a network, it names first whose records the file will lack. */
const DownloadDialog = (props: Exploration & { readonly onClose: () => void }) => {
  const { t } = useLocale();
  const words = useDownloadTexts();
  const { catalogue, question, overview, view, isStale, onClose } = props;
  const [fileType, setFileType] = useState<FileType>('tsv');
  const [progress, setProgress] = useState<Progress>({ kind: 'before' });
  const running = useRef<AbortController>(null);
  useEffect(() => () => running.current?.abort(), []);
  const [paths, setPaths] = useState(view.columns);
  const columns = chosenColumns(catalogue, paths === undefined ? {} : { columns: paths });
  const { plan, table } = usePlan(props, columns);
  const start = async (): Promise<void> => {
    const controller = new AbortController();
    running.current = controller;
    let received = 0;
    // rows may contain line breaks, so the progress is approximate
    const total = isStale || overview === null ? null : shownRecords(overview);
    const shareOf = (lines: number): number | null =>
      total === null || total === 0 ? null : Math.min(1, lines / total);
    setProgress({ kind: 'running', bytes: 0, share: shareOf(0) });
    const isPlanned = plan.data !== undefined && !plan.isFetching;
    const { data: known } = isPlanned ? plan : await plan.refetch({ cancelRefetch: false });
    // why there is no plan is said above
    if (known === undefined) return setProgress({ kind: 'before' });
    try {
      const file = await download(
        catalogue,
        question,
        { ...table, fileType, plan: known },
        (bytes, lines) => {
          received = bytes;
          setProgress({ kind: 'running', bytes, share: shareOf(lines) });
        },
        controller.signal,
      );
      save(file.blob, file.fileName);
      setProgress({ kind: 'done', bytes: received });
    } catch (error) {
      if (controller.signal.aborted) return;
      setProgress({ kind: 'failed', error });
      // an institution may have failed since
      void plan.refetch();
    }
  };
  return (
    <Window title={words.downloadTitle} onClose={onClose}>
      <RadioGroup
        className="stack"
        aria-label={words.format}
        value={fileType}
        onChange={(value) => setFileType(value as FileType)}
      >
        {(['tsv', 'csv', 'json'] as const).map((type) => (
          <Radio key={type} value={type} className="value">
            <span className="box round" />
            <span>{words.formats[type]}</span>
          </Radio>
        ))}
      </RadioGroup>
      <Opening label={t.columns} icon={<ColumnsIcon />}>
        {(close) => <ColumnWindow {...{ catalogue, columns }} onChange={setPaths} onClose={close} />}
      </Opening>
      {plan.error ? (
        <Trouble error={plan.error} onRetry={() => void plan.refetch()} />
      ) : (
        plan.data && <Expected plan={plan.data} />
      )}
      <Report progress={progress} isNetwork={catalogue.source.kind === 'network'} />
      <div className="row">
        {/* pending, not disabled: a disabled button would lose the focus, and Escape with it */}
        <Button className="plain main" isPending={progress.kind === 'running'} onPress={() => void start()}>
          {t.download}
        </Button>
        <Button className="plain" onPress={onClose}>
          {progress.kind === 'running' ? t.cancel : t.close}
        </Button>
      </div>
    </Window>
  );
};

/** What is known of the file before it is made; of a single catalogue, nothing is asked, and the plan is null. */
const usePlan = ({ catalogue, question, view }: Exploration, columns: readonly Column[]) => {
  const table = { columns, sort: knownSort(catalogue, view.sort) };
  const plan = useQuery<Plan | null>({
    queryKey: ['plan', catalogue.source.id, question, table],
    queryFn: ({ signal }) =>
      catalogue.source.kind === 'network' ? planDownload(catalogue, question, table, signal) : null,
    gcTime: 0,
  });
  return { plan, table };
};

/** Whose records the file lacks, in whole or in part, and whether a limit cuts it. */
const Expected = ({ plan: { nodes, files, question } }: { readonly plan: Plan }) => {
  const { list, number } = useLocale();
  const words = useDownloadTexts();
  const lacking = nodes.filter(({ stopped }) => stopped !== null).map(({ name }) => name);
  const isCut = files.some(({ isTruncated }) => isTruncated !== false);
  return (
    <div className={lacking.length > 0 || isCut ? 'note warn' : 'note'} role="status">
      <p>{lacking.length === 0 ? words.isComplete : words.isIncomplete(list(lacking))}</p>
      {isCut && <p>{words.isCut(number(question.files[0]?.maxRows ?? 0))}</p>}
    </div>
  );
};

interface ReportProps {
  readonly progress: Progress;
  readonly isNetwork: boolean;
}

const Report = ({ progress, isNetwork }: ReportProps) => {
  const { t, bytes, percent } = useLocale();
  const words = useDownloadTexts();
  switch (progress.kind) {
    case 'before':
      return null;
    case 'failed':
      return <Trouble error={progress.error} />;
    case 'running':
      return (
        <ProgressBar
          aria-label={t.download}
          className="stack"
          {...(progress.share === null ? { isIndeterminate: true } : { value: 100 * progress.share })}
        >
          <progress aria-hidden {...(progress.share === null ? {} : { value: progress.share })} />
          <span>
            {progress.share === null ? '' : `${percent(progress.share)} · `}
            {words.downloading(bytes(progress.bytes))}
          </span>
        </ProgressBar>
      );
    case 'done':
      return (
        <div className="note" role="status">
          <p>{words.downloadDone(bytes(progress.bytes))}</p>
          {!isNetwork && <p>{words.oneInstitution}</p>}
        </div>
      );
  }
};

export default DownloadDialog;
