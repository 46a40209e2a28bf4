import { useState } from 'react';
import { Button } from 'react-aria-components';
import { save } from '../../api/download.ts';
import { useSession } from '../../api/use-answers.ts';
import { keepView } from '../../api/short-links.ts';
import { useLocale } from '../../i18n/locale.tsx';
import { Cite } from '../../look/citation.tsx';
import { Copied } from '../../look/copied.tsx';
import { countText, hasAnswered } from '../../look/honest.ts';
import { Trouble } from '../../look/trouble.tsx';
import { Window } from '../../look/window.tsx';
import { baseOf, linkTo } from '../../frame/shared-link.ts';
import { go } from '../../state/navigation.ts';
import { fileOf, shortHashOf, viewOfFile } from '../../state/link.ts';
import type { View } from '../../state/view.ts';
import type { Exploration } from '../exploration.ts';
import { curlOf } from './curl.ts';
import { questionText } from './question-text.ts';
import { useWords } from './use-terms.ts';

/** The current query: as a link, as a filter, as a shell command. */
const ShareDialog = ({
  view,
  question,
  catalogue,
  config,
  overview,
  isStale,
  onClose,
}: Exploration & { readonly onClose: () => void }) => {
  const words = useWords(view.filters ?? [], catalogue);
  const { t, number, pick, records } = words;
  const { state } = useSession();
  const { filter } = question;
  const base = baseOf(config);
  const link = linkTo(config, 'explore', view);
  const text = questionText(view, catalogue, words) || t.allOf(records(2));
  return (
    <Window title={t.shareTitle} onClose={onClose}>
      <Copied label={t.linkText} text={link} />
      {link.length > longFrom && config.flags.links && (
        <ShortLink view={view} start={link.slice(0, link.indexOf('#'))} />
      )}
      {(config.pages !== undefined || !config.flags.links) && <ViewFile view={view} onClose={onClose} />}
      {overview !== null && !isStale && (
        <Cite
          title={
            overview.total === null
              ? text
              : `${text} (${countText({ ...overview, count: overview.total }, number, t)} ${records(overview.total)})`
          }
          institutions={overview.nodes.filter(hasAnswered).map(({ name, hits, upper }) => ({
            name,
            count: countText({ count: hits ?? 0, upper }, number, t),
          }))}
          portal={config.look.name === undefined ? catalogue.source.name : pick(config.look.name)}
          url={link}
        />
      )}
      <Copied label={t.asSqon} text={filter === null ? '{}' : JSON.stringify(filter, null, 2)} isLong />
      <Copied label={t.asCurl} text={curlOf(base, catalogue.source, question, state.kind === 'in')} isLong />
    </Window>
  );
};

/** Longer links break in emails and chats. */
const longFrom = 2_000;

/** A link to a view stored on the server. @param start the address before its hash */
const ShortLink = ({ view, start }: { readonly view: View; readonly start: string }) => {
  const { t } = useLocale();
  const [id, setId] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  if (error !== null) return <Trouble error={error} />;
  if (id !== null) return <Copied label={t.shortLink} text={start + shortHashOf(id)} />;
  return (
    <div className="row">
      <p className="small quiet">{t.longLink}</p>
      <Button className="plain" onPress={() => void keepView(view).then(setId, setError)}>
        {t.shortLink}
      </Button>
    </div>
  );
};

/** If no server stores links: saves the view as a file, and opens such a file. */
const ViewFile = ({ view, onClose }: { readonly view: View; readonly onClose: () => void }) => {
  const { t } = useLocale();
  const [isBroken, setBroken] = useState(false);
  const open = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    const read = viewOfFile(await file.text());
    setBroken(read === null);
    if (read === null) return;
    onClose();
    go('explore', read);
  };
  return (
    <div className="row">
      <Button
        className="plain"
        onPress={() => save(new Blob([fileOf(view)], { type: 'application/json' }), 'view.json')}
      >
        {t.saveView}
      </Button>
      <label className="row">
        {t.openView}
        <input
          type="file"
          accept=".json,application/json"
          onChange={(event) => void open(event.target.files?.[0])}
        />
      </label>
      {isBroken && (
        <p className="note warn" role="alert">
          {t.brokenFile}
        </p>
      )}
    </div>
  );
};

export default ShareDialog;
