import { createContext, use } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { Catalogue } from '../api/catalogue.ts';
import { countsQuery, type Counted } from '../api/counts.ts';
import { isIdentifier, type Field, wordsOf } from '../api/fields.ts';
import { nameWithin } from '../api/nouns.ts';
import { valueAt } from '../api/read-answer.ts';
import type { WholeRecord } from '../api/record.ts';
import { CellValue } from '../explore/table/cell-value.tsx';
import { PageLink } from '../frame/page-link.tsx';
import { useLocale } from '../i18n/locale.tsx';
import { linkOf } from '../images/images.ts';
import { countText } from '../look/honest.ts';
import { nameOf } from '../look/node-colours.ts';
import type { View } from '../state/view.ts';
import {
  filledOf,
  isAddress,
  layoutOf,
  likeFilter,
  likeFilters,
  unpicturedOf,
  type Layout,
} from './record-values.ts';

interface RecordFieldsProps {
  readonly catalogue: Catalogue;
  readonly nodeId: string | null;
  readonly record: WholeRecord;
  /** The source in which similar records are searched. */
  readonly view: View;
}

/** The context that each value of the page needs to link to similar records. */
interface Likes {
  readonly catalogue: Catalogue;
  readonly view: View;
  /** How many records have a value, by its filter. */
  readonly counts: ReadonlyMap<string, Counted | null>;
}

const LikesContext = createContext<Likes | null>(null);

/** All fields of a record: its own fields, objects and lists of objects as cards; empty fields are folded. */
export const RecordFields = ({ catalogue, nodeId, record, view }: RecordFieldsProps) => {
  const filters = likeFilters(catalogue, record);
  const { data = [] } = useQuery(countsQuery(catalogue, filters));
  const counts = new Map(filters.map((filter, at) => [JSON.stringify(filter), data[at] ?? null]));
  const layout = layoutOf(catalogue, record, nodeId);
  return (
    <LikesContext value={{ catalogue, view, counts }}>
      <Facts fields={layout.own} heading={null} valuesAt={(path) => unpicturedOf(catalogue, record, path)} />
      {layout.groups.map(({ path, fields }) => (
        <section key={path} className="card stack">
          <h2>{headingOf(catalogue, path)}</h2>
          <Facts
            fields={fields}
            heading={headingOf(catalogue, path)}
            valuesAt={(inside) => unpicturedOf(catalogue, record, inside)}
          />
        </section>
      ))}
      {layout.lists.map((field) => (
        <ObjectCards
          key={field.path}
          {...{ catalogue, field, nodeId }}
          items={[valueAt(record.document, field.path.split('.'))].flat()}
        />
      ))}
      <Rest {...{ catalogue, layout, nodeId }} />
    </LikesContext>
  );
};

const headingOf = ({ fields }: Catalogue, path: string): string => fields.get(path)?.name ?? wordsOf(path);

interface FactsProps {
  readonly fields: readonly Field[];
  /** The heading above them, which need not be repeated in their names. */
  readonly heading: string | null;
  readonly valuesAt: (path: string) => readonly unknown[];
}

const Facts = ({ fields, heading, valuesAt }: FactsProps) =>
  fields.length === 0 ? null : (
    <dl className="facts">
      {fields.map((field) => (
        <div key={field.path}>
          <dt title={field.description ?? field.path}>
            {nameWithin(field, heading)}
            {field.unit !== null && <small> {field.unit}</small>}
          </dt>
          <dd>
            {[...timesOf(valuesAt(field.path))].map(([value, times], at) => (
              <span key={at} className="fact">
                <Value {...{ field, value }} />
                {times > 1 && <small> ×{times}</small>}
              </span>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  );

const timesOf = (values: readonly unknown[]): ReadonlyMap<unknown, number> => {
  const times = new Map<unknown, number>();
  for (const value of values) times.set(value, (times.get(value) ?? 0) + 1);
  return times;
};

/** A value that links to the records with the same value; a link leads to its own target. */
const Value = ({ field, value }: { readonly field: Field; readonly value: unknown }) => {
  const { t, number } = useLocale();
  const { view, counts } = use(LikesContext)!;
  const address = isAddress(value) ? value : linkOf(field, value);
  if (address !== null)
    return (
      <a href={address} rel="noopener noreferrer" className="address">
        {String(value).replace(/^https?:\/\//i, '')}
      </a>
    );
  const shown = <Shown {...{ field, value }} />;
  const filter = likeFilter(field, value);
  const counted = filter === null ? null : (counts.get(JSON.stringify(filter)) ?? null);
  // the record itself is one of them
  if (filter === null || counted === null || counted.upper <= 1) return <span>{shown}</span>;
  const count = countText(counted, number, t);
  return (
    <PageLink page="explore" view={{ ...view, filters: [filter] }} title={t.likeThis(count)} className="like">
      {shown} <small>{count}</small>
    </PageLink>
  );
};

/** Ids are not amounts: they have no separators. */
const Shown = ({ field, value }: { readonly field: Field; readonly value: unknown }) => {
  const { catalogue } = use(LikesContext)!;
  if (typeof value === 'number' && isIdentifier(field.path)) return <>{String(value)}</>;
  return (
    <CellValue
      catalogue={catalogue}
      path={field.path}
      row={{ id: '', nodeId: null, cursor: null, values: { [field.path]: value } }}
    />
  );
};

interface ObjectCardsProps {
  readonly catalogue: Catalogue;
  readonly nodeId: string | null;
  readonly field: Field;
  readonly items: readonly unknown[];
}

/** Further objects are folded. */
const objectsShown = 6;

/** The objects of a list, each a card that contains its own lists. */
const ObjectCards = ({ catalogue, nodeId, field, items }: ObjectCardsProps) => {
  const { t, number } = useLocale();
  const objects = items.filter(
    (item): item is Readonly<Record<string, unknown>> => typeof item === 'object' && item !== null,
  );
  if (objects.length === 0) return null;
  const cards = objects.map((object, at) => (
    <ObjectCard key={at} {...{ catalogue, nodeId, field, object }} />
  ));
  return (
    <section className="stack">
      <h2>
        {field.name} <small>{number(objects.length)}</small>
      </h2>
      <ul className="cards">{cards.slice(0, objectsShown)}</ul>
      {cards.length > objectsShown && (
        <details>
          <summary>{t.more(number(cards.length - objectsShown))}</summary>
          <ul className="cards">{cards.slice(objectsShown)}</ul>
        </details>
      )}
    </section>
  );
};

const ObjectCard = ({
  catalogue,
  nodeId,
  field,
  object,
}: Omit<ObjectCardsProps, 'items'> & { readonly object: Readonly<Record<string, unknown>> }) => {
  const below = [...catalogue.fields.values()].filter(
    ({ path, nodes }) =>
      path.startsWith(`${field.path}.`) && (nodeId === null || nodes === null || nodes.includes(nodeId)),
  );
  const lists = below.filter(({ kind }) => kind === 'nested');
  const isInside = ({ path }: Field): boolean => lists.some((each) => path.startsWith(`${each.path}.`));
  const inside = (path: string): unknown => valueAt(object, path.slice(field.path.length + 1).split('.'));
  const direct = below.filter(
    (each) =>
      each.kind !== 'nested' &&
      each.kind !== 'other' &&
      !isInside(each) &&
      filledOf(inside(each.path)).length > 0,
  );
  return (
    <li className="card">
      <Facts fields={direct} heading={field.name} valuesAt={(path) => filledOf(inside(path))} />
      {lists
        .filter((each) => !isInside(each))
        .map((each) => (
          <ObjectCards
            key={each.path}
            {...{ catalogue, nodeId }}
            field={each}
            items={[inside(each.path)].flat()}
          />
        ))}
    </li>
  );
};

/** The fields that this record does not have, folded. */
const Rest = ({
  catalogue,
  nodeId,
  layout: { empty, unrecorded },
}: {
  readonly catalogue: Catalogue;
  readonly nodeId: string | null;
  readonly layout: Layout;
}) => {
  const { t, number, list } = useLocale();
  return (
    <>
      {empty.length > 0 && (
        <details>
          <summary>
            {t.emptyFields} <small>{number(empty.length)}</small>
          </summary>
          <p className="small quiet">{list(empty.map(({ name }) => name))}</p>
        </details>
      )}
      {unrecorded.length > 0 && nodeId !== null && (
        <details>
          <summary>
            {t.hasNoField(nameOf(catalogue, nodeId))} <small>{number(unrecorded.length)}</small>
          </summary>
          <p className="small quiet">{list(unrecorded.map(({ name }) => name))}</p>
        </details>
      )}
    </>
  );
};
