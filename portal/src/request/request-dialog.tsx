import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from 'react-aria-components';
import type { NodePart } from '../api/answer.ts';
import type { Catalogue, Institution } from '../api/catalogue.ts';
import type { PortalConfig } from '../api/config.ts';
import { totalQuery } from '../api/queries.ts';
import { describeView } from '../explore/sentence/describe-filter.ts';
import { useWords } from '../explore/sentence/use-terms.ts';
import { questionOf } from '../explore/view-question.ts';
import { capital } from '../i18n/plural.ts';
import { Choice } from '../frame/choices.tsx';
import { linkTo } from '../frame/shared-link.ts';
import { Copied } from '../look/copied.tsx';
import { countText, hasAnswered } from '../look/honest.ts';
import { Window } from '../look/window.tsx';
import type { View } from '../state/view.ts';
import { mailOf, type Letter } from './mail-of.ts';
import './request.css';
import { useRequestTexts } from './use-request-texts.ts';

interface RequestDialogProps {
  readonly catalogue: Catalogue;
  readonly config: PortalConfig;
  /** What the records are found by; of a record, the list that led to it. */
  readonly view: View;
  /** One record instead. */
  readonly record?: { readonly title: string; readonly link: string; readonly nodeId: string | null };
  readonly onClose: () => void;
}

/** A request for records: the question in words, what is asked for, and how to reach each institution that has some. */
const RequestDialog = ({ catalogue, config, view, record, onClose }: RequestDialogProps) => {
  const words = useRequestTexts();
  const locale = useWords(view.filters ?? [], catalogue);
  const { t, number, day, list, records } = locale;
  const [kind, setKind] = useState<keyof typeof words.kinds>('records');
  const [purpose, setPurpose] = useState('');
  const { data } = useQuery({
    ...totalQuery(catalogue, questionOf(view, catalogue)),
    enabled: record === undefined,
  });
  const question = record?.title ?? describeView(view, catalogue, locale);
  const link = record?.link ?? linkTo(config, 'explore', view);
  const today = day(new Date().toISOString().slice(0, 10));
  const rows = rowsOf(catalogue, record, data?.nodes ?? []);
  const textOfCount = ({ hits, upper }: Counted): string =>
    hits === null ? words.notKnown : countText({ count: hits, upper }, number, t);
  const letterWith = (counts: string): Letter => ({
    subject: words.subject(question),
    text: [
      words.greeting,
      words.body(words.kinds[kind], question),
      ...(record === undefined ? [counts] : []),
      t.labelled(words.link, link),
      ...(purpose.trim() === '' ? [] : [purpose.trim()]),
    ].join('\n\n'),
  });
  const letterTo = (counted: Counted): Letter => letterWith(words.withYou(textOfCount(counted), today));
  const toAll = list(rows.map(({ institution, counted }) => `${institution.name} (${textOfCount(counted)})`));
  return (
    <Window title={record === undefined ? t.request : t.requestOne} onClose={onClose}>
      <div className="stack request">
        <p className="small quiet">{words.intro}</p>
        <p>
          <b>{question}</b> <small className="quiet">{today}</small>
        </p>
        <label>
          {words.asked}{' '}
          <Choice
            className="field"
            label={words.asked}
            value={kind}
            options={Object.entries(words.kinds) as [typeof kind, string][]}
            onChange={setKind}
          />
        </label>
        <label>
          {words.purpose}
          <textarea
            className="field"
            rows={3}
            value={purpose}
            onChange={(event) => setPurpose(event.target.value)}
          />
        </label>
        {record === undefined && data === undefined ? (
          <p className="quiet">{t.loading}</p>
        ) : (
          <table>
            <thead>
              <tr>
                <th scope="col">{t.institution}</th>
                {record === undefined && <th scope="col">{capital(records(2))}</th>}
                <th scope="col">{t.contact}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map(({ institution, counted }) => (
                <tr key={institution.nodeId}>
                  <th scope="row">{institution.name}</th>
                  {record === undefined && <td>{textOfCount(counted)}</td>}
                  <td>
                    <Way institution={institution} letter={letterTo(counted)} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
        <p className="small printed">{t.labelled(words.link, link)}</p>
        <Copied label={words.text} isLong text={letterWith(words.counts(toAll, today)).text} />
        <div className="row">
          <Button className="plain" onPress={() => window.print()}>
            {words.print}
          </Button>
        </div>
      </div>
    </Window>
  );
};

type Counted = Pick<NodePart, 'hits' | 'upper'>;

interface Row {
  readonly institution: Institution;
  readonly counted: Counted;
}

/** The institutions to ask: that of the record, or all that may have matching records, unknown counts included. */
const rowsOf = (
  { nodes }: Catalogue,
  record: RequestDialogProps['record'],
  parts: readonly NodePart[],
): readonly Row[] => {
  if (record !== undefined)
    return nodes
      .filter(({ nodeId }) => record.nodeId === null || nodeId === record.nodeId)
      .map((institution) => ({ institution, counted: { hits: 1, upper: 1 } }));
  return parts
    .filter(
      ({ state, hits, upper, lack }) => state !== 'excluded' && !lack.decides && (hits !== 0 || upper > 0),
    )
    .map((part) => ({
      institution: nodes.find(({ nodeId }) => nodeId === part.nodeId) ?? part,
      counted: hasAnswered(part) ? part : { hits: null, upper: Infinity },
    }));
};

/** How to reach an institution: by mail, by its form, or not at all. */
const Way = ({ institution, letter }: { readonly institution: Institution; readonly letter: Letter }) => {
  const words = useRequestTexts();
  const { name, about } = institution;
  const { email, url } = about?.contact ?? {};
  if (email !== undefined)
    return (
      <>
        <a href={mailOf(email, letter)} aria-label={words.write(name)}>
          {words.mail}
        </a>{' '}
        <small className="quiet">{email}</small>
      </>
    );
  if (url === undefined) return <span className="quiet">{words.noContact}</span>;
  return (
    <>
      <a href={url} target="_blank" rel="noreferrer" aria-label={words.openForm(name)}>
        {words.form}
      </a>{' '}
      <small className="quiet">{words.formHint}</small>
    </>
  );
};

export default RequestDialog;
