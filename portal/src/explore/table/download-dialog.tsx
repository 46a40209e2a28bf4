import { useEffect, useRef, useState } from 'react';
import { Button, ProgressBar, Radio, RadioGroup } from 'react-aria-components';
import { chosenColumns } from '../../api/catalogue.ts';
import { download, save, type Downloaded, type FileType } from '../../api/download.ts';
import { ApiError } from '../../api/server.ts';
import { useLocale } from '../../i18n/locale.tsx';
import { shownRecords } from '../../look/honest.ts';
import { Trouble } from '../../look/trouble.tsx';
import { Window } from '../../look/window.tsx';
import type { Exploration } from '../exploration.ts';
import { knownSort } from './pages.tsx';

type Progress =
  | { readonly kind: 'before' }
  | { readonly kind: 'running'; readonly bytes: number; readonly share: number | null }
  | { readonly kind: 'done'; readonly bytes: number; readonly file: Downloaded }
  | { readonly kind: 'failed'; readonly error: unknown };

/** Downloads the filtered records as a file, and reports what the file contains and lacks. */
const DownloadDialog = (props: Exploration & { readonly onClose: () => void }) => {
  const { t } = useLocale();
  const { catalogue, question, view, overview, isStale, onClose } = props;
  const [fileType, setFileType] = useState<FileType>('tsv');
  const [progress, setProgress] = useState<Progress>({ kind: 'before' });
  const running = useRef<AbortController>(null);
  useEffect(() => () => running.current?.abort(), []);
  const start = async (): Promise<void> => {
    const controller = new AbortController();
    running.current = controller;
    let received = 0;
    // rows may contain line breaks, so the progress is approximate
    const total = isStale || overview === null ? null : shownRecords(overview);
    const shareOf = (lines: number): number | null =>
      total === null || total === 0 ? null : Math.min(1, lines / total);
    setProgress({ kind: 'running', bytes: 0, share: shareOf(0) });
    try {
      const file = await download(
        catalogue,
        question,
        { columns: chosenColumns(catalogue, view), sort: knownSort(catalogue, view.sort) },
        fileType,
        (bytes, lines) => {
          received = bytes;
          setProgress({ kind: 'running', bytes, share: shareOf(lines) });
        },
        controller.signal,
      );
      save(file.blob, file.fileName);
      setProgress({ kind: 'done', bytes: received, file });
    } catch (error) {
      if (!controller.signal.aborted) setProgress({ kind: 'failed', error });
    }
  };
  return (
    <Window title={t.downloadTitle} onClose={onClose}>
      <RadioGroup
        className="stack"
        aria-label={t.format}
        value={fileType}
        onChange={(value) => setFileType(value as FileType)}
      >
        {(['tsv', 'csv', 'json'] as const).map((type) => (
          <Radio key={type} value={type} className="value">
            <span className="box round" />
            <span>{t.formats[type]}</span>
          </Radio>
        ))}
      </RadioGroup>
      <Report progress={progress} />
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

const Report = ({ progress }: { readonly progress: Progress }) => {
  const { t, bytes, list, percent } = useLocale();
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
            {t.downloading(bytes(progress.bytes))}
          </span>
        </ProgressBar>
      );
    case 'done': {
      const { manifest } = progress.file;
      if (manifest instanceof ApiError)
        return (
          <div className="stack" role="status">
            <p>{t.downloadDone(bytes(progress.bytes))}</p>
            <p>{t.manifest}</p>
            <Trouble error={manifest} />
          </div>
        );
      const lacking =
        manifest?.nodes.filter(({ rowsComplete }) => !rowsComplete).map(({ name }) => name) ?? [];
      return (
        <div className={manifest?.complete === false ? 'note warn' : 'note'} role="status">
          <p>{t.downloadDone(bytes(progress.bytes))}</p>
          <p>
            {manifest === null
              ? t.oneInstitution
              : manifest.complete
                ? t.isComplete
                : t.isIncomplete(list(lacking))}
          </p>
          {manifest !== null && (
            <Button
              className="plain"
              onPress={() =>
                save(
                  new Blob([JSON.stringify(manifest, null, 2)], { type: 'application/json' }),
                  `${progress.file.fileName}.manifest.json`,
                )
              }
            >
              {t.manifest}
            </Button>
          )}
        </div>
      );
    }
  }
};

export default DownloadDialog;
