import type { ReactNode } from 'react';
import type { Catalogue, Institution } from '../api/catalogue.ts';
import { PageLink } from '../frame/page-link.tsx';
import { useLocale } from '../i18n/locale.tsx';
import { colourOf } from '../look/node-colours.ts';
import type { View } from '../state/view.ts';

interface InstitutionCardProps {
  readonly catalogue: Catalogue;
  readonly institution: Institution;
  readonly view: View;
  readonly children?: ReactNode;
}

/** An institution: its name, which links to its page, its place, its description, and its contact. */
export const InstitutionCard = ({ catalogue, institution, view, children }: InstitutionCardProps) => {
  const { nodeId, name, about } = institution;
  const isNode = catalogue.source.kind === 'network';
  return (
    <>
      <h3>
        <span className="dot" style={{ background: colourOf(catalogue, nodeId) }} aria-hidden />{' '}
        {isNode ? (
          <PageLink page="network" view={{ ...view, node: nodeId }}>
            <bdi>{name}</bdi>
          </PageLink>
        ) : (
          name
        )}
      </h3>
      {about?.place?.name !== undefined && <p className="small quiet">{about.place.name}</p>}
      {children}
      {about?.description !== undefined && <p className="small">{about.description}</p>}
      <Contact institution={institution} />
    </>
  );
};

/** The contact and the website. */
export const Contact = ({ institution: { about } }: { readonly institution: Institution }) => {
  const { t } = useLocale();
  const { contact } = about ?? {};
  if (contact === undefined) return null;
  return (
    <p className="small row">
      {contact.email !== undefined && (
        <a href={`mailto:${contact.email}`} title={t.labelled(t.contact, contact.name)}>
          {contact.email}
        </a>
      )}
      {contact.url !== undefined && (
        <a href={contact.url} rel="noreferrer" title={t.labelled(t.website, contact.name)}>
          {new URL(contact.url).host}
        </a>
      )}
      {contact.email === undefined && contact.url === undefined && contact.name}
    </p>
  );
};
