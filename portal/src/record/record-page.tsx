import { lazy, Suspense, useEffect } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useCatalogue } from '../api/use-answers.ts';
import { askRecord, type WholeRecord } from '../api/record.ts';
import type { Catalogue } from '../api/catalogue.ts';
import { isIdentifier } from '../api/fields.ts';
import { hasImages } from '../images/images.ts';
import { valueAt } from '../api/read-answer.ts';
import { PageLink } from '../frame/page-link.tsx';
import type { PageProps } from '../frame/page-props.ts';
import { useLocale } from '../i18n/locale.tsx';
import { stateText } from '../look/honest.ts';
import { Cite } from '../look/citation.tsx';
import { InstitutionCard } from '../network/institution-card.tsx';
import { Copied } from '../look/copied.tsx';
import { Opening } from '../look/opening.tsx';
import { Trouble } from '../look/trouble.tsx';
import { linkTo } from '../frame/shared-link.ts';
import { usePlace } from '../state/use-place.ts';
import { recordKey, type RecordKey, type View } from '../state/view.ts';
import { RecordFields } from './record-fields.tsx';
import { Steps } from './steps.tsx';

const RequestDialog = lazy(() => import('../request/request-dialog.tsx'));
const RecordPictures = lazy(() => import('../images/record-pictures.tsx'));

/** The page of one record. */
const RecordPage = ({ config, source }: PageProps) => {
  const { t, language, pick } = useLocale();
  const { view } = usePlace();
  const { data: catalogue, error: unknown, refetch: describeAgain } = useCatalogue(source, language);
  const { record: key, ...list } = view;
  const ofSource: View = view.source === undefined ? {} : { source: view.source };
  const { data, error, refetch } = useQuery({
    queryKey: ['record', source.id, key && recordKey(key)],
    queryFn: ({ signal }) => askRecord(catalogue!, key!, signal),
    enabled: catalogue !== undefined && key !== undefined,
  });
  const portal = config.look.name === undefined ? source.name : pick(config.look.name);
  const title = data?.kind === 'found' && catalogue !== undefined ? titleOf(catalogue, data.record) : null;
  const heading = title ?? (key === undefined ? t.pages.record : t.recordTitle(key.id));
  useEffect(() => {
    document.title = `${heading} · ${portal}`;
  }, [heading, portal]);
  const trouble = unknown ?? error;
  const retry = (): void => void (unknown ? describeAgain() : refetch());
  return (
    <div className="page stack">
      <nav className="row" aria-label={t.backToList}>
        <PageLink className="plain" page="explore" view={list}>
          {t.backToList}
        </PageLink>
        {catalogue !== undefined && key !== undefined && <Steps {...{ catalogue, view }} />}
      </nav>
      {data?.kind !== 'found' && <h1>{heading}</h1>}
      {key === undefined ? (
        <p className="note">{t.recordMissing}</p>
      ) : trouble ? (
        <Trouble error={trouble} onRetry={retry} />
      ) : data === undefined || catalogue === undefined ? (
        <p className="quiet">{t.loading}</p>
      ) : data.kind === 'found' ? (
        <Whole
          {...{ catalogue, config }}
          id={key}
          record={data.record}
          warnings={data.warnings}
          view={ofSource}
          {...{ title, portal }}
          link={linkTo(config, 'record', { ...ofSource, record: recordKey(key) })}
        />
      ) : (
        <p className={data.kind === 'silent' ? 'note warn' : 'note'}>
          {data.kind === 'silent' ? `${t.recordNotAnswering} (${stateText(data.state, t)})` : t.recordMissing}
        </p>
      )}
    </div>
  );
};

interface WholeProps {
  readonly config: PageProps['config'];
  readonly catalogue: Catalogue;
  readonly id: RecordKey;
  readonly record: WholeRecord;
  readonly warnings: readonly string[];
  readonly link: string;
  /** The source alone, for links to other records. */
  readonly view: View;
  readonly title: string | null;
  readonly portal: string;
}

const Whole = ({ catalogue, config, id, record, warnings, link, view, title, portal }: WholeProps) => {
  const { t, number } = useLocale();
  const { nodes, source } = catalogue;
  const institution = nodes.find(({ nodeId }) => nodeId === id.nodeId);
  const named = title === null ? t.recordTitle(id.id) : `${title} (${id.id})`;
  return (
    <article className="record">
      <div className="stack">
        <h1>{title ?? t.recordTitle(id.id)}</h1>
        {title !== null && <p className="quiet">{t.recordTitle(id.id)}</p>}
        {hasImages(catalogue) && (
          <Suspense>
            <RecordPictures {...{ catalogue, record }} title={title ?? t.recordTitle(id.id)} />
          </Suspense>
        )}
        <RecordFields catalogue={catalogue} nodeId={id.nodeId} record={record} view={view} />
        {warnings.length > 0 && (
          <details>
            <summary>
              {t.warnings} <small>{number(warnings.length)}</small>
            </summary>
            <ul className="small quiet">
              {warnings.map((warning) => (
                <li key={warning}>{warning}</li>
              ))}
            </ul>
          </details>
        )}
        <details>
          <summary>{t.json}</summary>
          <pre tabIndex={0} aria-label={t.json}>
            {JSON.stringify(record.document, null, 2)}
          </pre>
        </details>
      </div>
      <aside className="stack">
        <h2 className="away">{t.pages.record}</h2>
        {institution !== undefined && (
          <section className="card stack">
            <InstitutionCard {...{ catalogue, institution, view }} />
          </section>
        )}
        <div>
          <Opening label={t.requestOne} isMain>
            {(close) => (
              <RequestDialog
                {...{ catalogue, config, view }}
                record={{ title: named, link, nodeId: id.nodeId }}
                onClose={close}
              />
            )}
          </Opening>
        </div>
        <section className="card">
          <Cite
            title={named}
            institutions={[{ name: institution?.name ?? source.name, count: null }]}
            portal={portal}
            url={link}
          />
        </section>
        <Copied label={t.linkRecord} text={link} />
      </aside>
    </article>
  );
};

/** The first value that its owners show for each record, if that is a name in words; null: an id, a number, or empty. */
const titleOf = ({ columns, fields }: Catalogue, { document, isNested }: WholeRecord): string | null => {
  const first = columns.find(({ isShown }) => isShown)?.path;
  if (first === undefined || isIdentifier(first) || fields.get(first)?.kind === 'other') return null;
  const value = isNested ? valueAt(document, first.split('.')) : document[first];
  return typeof value === 'string' && value.includes(' ') ? value : null;
};

export default RecordPage;
