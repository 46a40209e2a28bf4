import { useState } from 'react';
import { Button } from 'react-aria-components';
import { keepView } from '../../api/short-links.ts';
import { Cite } from '../../look/citation.tsx';
import { Copied } from '../../look/copied.tsx';
import { countText, hasAnswered } from '../../look/honest.ts';
import { Trouble } from '../../look/trouble.tsx';
import { Window } from '../../look/window.tsx';
import { linkTo } from '../../frame/shared-link.ts';
import { shortHashOf } from '../../state/link.ts';
import type { View } from '../../state/view.ts';
import type { Exploration } from '../exploration.ts';
import { questionText } from './question-text.ts';
import { useShareTexts } from './use-share-texts.ts';
import { useWords } from './use-terms.ts';

/** The current query as a link and as a citation. */
const ShareDialog = ({
  view,
  catalogue,
  config,
  overview,
  isStale,
  onClose,
}: Exploration & { readonly onClose: () => void }) => {
  const said = useShareTexts();
  const words = useWords(view.filters ?? [], catalogue);
  const { t, number, pick, records } = words;
  const link = linkTo(config, 'explore', view);
  const text = questionText(view, catalogue, words) || t.allOf(records(2));
  return (
    <Window title={said.shareTitle} onClose={onClose}>
      <Copied label={said.linkText} text={link} />
      {link.length > longFrom && config.flags.links && (
        <ShortLink view={view} start={link.slice(0, link.indexOf('#'))} />
      )}
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
    </Window>
  );
};

/** Longer links break in emails and chats. */
const longFrom = 2_000;

/** A link to a view stored on the server. @param start the address before its hash */
const ShortLink = ({ view, start }: { readonly view: View; readonly start: string }) => {
  const said = useShareTexts();
  const [id, setId] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  if (error !== null) return <Trouble error={error} />;
  if (id !== null) return <Copied label={said.shortLink} text={start + shortHashOf(id)} />;
  return (
    <div className="row">
      <p className="small quiet">{said.longLink}</p>
      <Button className="plain" onPress={() => void keepView(view).then(setId, setError)}>
        {said.shortLink}
      </Button>
    </div>
  );
};

export default ShareDialog;
