import { useQuery } from '@tanstack/react-query';
import { useCatalogue } from '../api/use-answers.ts';
import { askRecord, type WholeRecord } from '../api/record.ts';
import type { Catalogue } from '../api/catalogue.ts';
import { isIdentifier } from '../api/fields.ts';
import { valueAt } from '../api/read-answer.ts';
import { PageLink } from '../frame/page-link.tsx';
import type { PageProps } from '../frame/page-props.ts';
import { useLocale } from '../i18n/locale.tsx';
import { stateText } from '../look/honest.ts';
import { colourOf, nameOf } from '../look/node-colours.ts';
import { Copied } from '../look/copied.tsx';
import { Trouble } from '../look/trouble.tsx';
import { linkTo } from '../frame/shared-link.ts';
import { usePlace } from '../state/use-place.ts';
import type { RecordKey } from '../state/view.ts';
import { RecordFields } from './record-fields.tsx';

/** One record, whole. */
const RecordPage = ({ config, source }: PageProps) => {
  const { t, language } = useLocale();
  const { view } = usePlace();
  const { data: catalogue, error: unknown, refetch: describeAgain } = useCatalogue(source, language);
  const { record: key, ...list } = view;
  const { data, error, refetch } = useQuery({
    queryKey: ['record', source.id, key],
    queryFn: ({ signal }) => askRecord(catalogue!, key!, signal),
    enabled: catalogue !== undefined && key !== undefined,
  });
  const trouble = unknown ?? error;
  const retry = (): void => void (unknown ? describeAgain() : refetch());
  return (
    <div className="page stack">
      <p>
        <PageLink className="bare" page="explore" view={list}>
          ← {t.backToList}
        </PageLink>
      </p>
      {data?.kind !== 'found' && <h1>{key === undefined ? t.pages.record : t.recordTitle(key.id)}</h1>}
      {key === undefined ? (
        <p className="note">{t.recordMissing}</p>
      ) : trouble ? (
        <Trouble error={trouble} onRetry={retry} />
      ) : data === undefined || catalogue === undefined ? (
        <p className="quiet">{t.loading}</p>
      ) : data.kind === 'found' ? (
        <Whole
          {...{ catalogue }}
          id={key}
          record={data.record}
          link={linkTo(config, 'record', {
            ...(view.source === undefined ? {} : { source: view.source }),
            record: key,
          })}
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
  readonly catalogue: Catalogue;
  readonly id: RecordKey;
  readonly record: WholeRecord;
  readonly link: string;
}

const Whole = ({ catalogue, id, record, link }: WholeProps) => {
  const { t } = useLocale();
  const title = titleOf(catalogue, record);
  return (
    <article className="stack">
      <h1>{title ?? t.recordTitle(id.id)}</h1>
      {title !== null && <p className="quiet">{t.recordTitle(id.id)}</p>}
      {id.nodeId !== null && (
        <p>
          <span className="dot" style={{ background: colourOf(catalogue, id.nodeId) }} aria-hidden />{' '}
          {nameOf(catalogue, id.nodeId)}
        </p>
      )}
      <RecordFields catalogue={catalogue} nodeId={id.nodeId} record={record} />
      <Copied label={t.linkRecord} text={link} />
      <details className="card">
        <summary>{t.json}</summary>
        <pre tabIndex={0} aria-label={t.json}>
          {JSON.stringify(record.document, null, 2)}
        </pre>
      </details>
    </article>
  );
};

/** What its owners show first of each record, where that is a name in words; null: an id, a number, or nothing. */
const titleOf = ({ columns, fields }: Catalogue, { document, isNested }: WholeRecord): string | null => {
  const first = columns.find(({ isShown }) => isShown)?.path;
  if (first === undefined || isIdentifier(first) || fields.get(first)?.kind === 'other') return null;
  const value = isNested ? valueAt(document, first.split('.')) : document[first];
  return typeof value === 'string' && value.includes(' ') ? value : null;
};

export default RecordPage;
