import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from 'react-aria-components';
import { MISSING } from '../../../src/sqon/ast.ts';
import { fold } from '../../../src/lib/text/fold.ts';
import type { Catalogue } from '../api/catalogue.ts';
import { countsQuery, type Counted } from '../api/counts.ts';
import { save } from '../api/download.ts';
import { isIdentifier, type Field } from '../api/fields.ts';
import type { Filter } from '../api/filter.ts';
import { totalQuery } from '../api/queries.ts';
import { fetchOverview, type Question } from '../api/questions.ts';
import { csvOf } from '../charts/export-chart.ts';
import { fileNameOf } from '../frame/file-name.ts';
import { useLocale } from '../i18n/locale.tsx';
import { DataTable } from '../look/data-table.tsx';
import { FindField } from '../look/find-field.tsx';
import { hasAnswered } from '../look/honest.ts';
import { valueText } from '../look/value-text.ts';

const step = 24;
const categoriesShown = 4;
/** With more institutions than this, their columns would be unreadable: how many have a field is shown instead. */
const maxColumns = 12;

/** Finds the records with a value of a field. */
const filled = ({ path }: Pick<Field, 'path'>): Filter => ({
  op: 'not-in',
  content: { fieldName: path, value: [MISSING] },
});

interface VariablesProps {
  readonly catalogue: Catalogue;
  /** Only this institution, with its local names by path; unset: all of the network. */
  readonly only?: { readonly nodeId: string; readonly names: ReadonlyMap<string, string> };
}

/** What the network or an institution holds: its variables, and how completely they are recorded. */
export const Variables = ({ catalogue, only }: VariablesProps) => {
  const { t, number } = useLocale();
  const title = only === undefined ? t.variables : t.filledFields;
  const [text, setText] = useState('');
  const [shown, setShown] = useState(step);
  const wanted = fold(text.trim());
  const found = [...catalogue.fields.values()].filter(
    ({ path, name, kind, nodes }) =>
      kind !== 'nested' &&
      kind !== 'other' &&
      (only === undefined || nodes?.includes(only.nodeId) === true) &&
      (fold(name).includes(wanted) || path.includes(wanted)),
  );
  const fields = found.slice(0, shown);
  const question = { filter: null, nodes: only === undefined ? null : [only.nodeId] };
  const table = useTable(catalogue, fields, question, only);
  const client = useQueryClient();
  const exportAll = async (): Promise<void> => {
    const by = { counter: null };
    const counts = await client.fetchQuery(countsQuery(catalogue, found.map(filled), question.nodes, by));
    const categories = await client.fetchQuery(categoriesQuery(catalogue, found, question));
    save(csvOf(table.of(found, counts, categories), []), fileNameOf(catalogue.source, title, 'csv'));
  };
  const { head, rows } = table.shown;
  return (
    <section className="stack">
      <h2>
        {title} <small>{number(found.length)}</small>
      </h2>
      {only === undefined && <p className="small quiet">{t.variablesWhy}</p>}
      <div className="row">
        <FindField label={t.findField} text={text} onText={setText} style={{ maxWidth: 360 }} />
        <Button className="plain" onPress={() => void exportAll()}>
          {t.numbersAs('CSV')}
        </Button>
      </div>
      <DataTable
        className="stacked"
        label={title}
        head={head}
        rows={rows.map(([name, ...cells], at) => [
          <bdi title={fields[at]!.description ?? undefined}>{name}</bdi>,
          ...cells.map((cell) =>
            [t.zero.notCovered, t.zero.withheld].includes(cell) ? <span className="none">{cell}</span> : cell,
          ),
        ])}
      />
      {found.length > shown && (
        <p>
          <button type="button" className="plain" onClick={() => setShown(shown + step)}>
            {t.more(number(found.length - shown))}
          </button>
        </p>
      )}
    </section>
  );
};

/** The most frequent values of fields that have few, by path. */
const categoriesQuery = (catalogue: Catalogue, fields: readonly Field[], question: Question) => {
  const paths = fields
    .filter(
      (field) =>
        field.kind === 'values' && !field.hierarchy && !isIdentifier(field.path) && !isAddress(field),
    )
    .map(({ path }) => path);
  return {
    queryKey: ['categories', catalogue.source.id, question, paths],
    queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
      fetchOverview(catalogue, question, paths, { asUsual: categoriesShown }, { signal }),
    enabled: paths.length > 0,
  };
};

/** Whether its values are addresses of pages or pictures, which are no categories. */
const isAddress = ({ isImage, link }: Field): boolean => isImage === true || link !== undefined;

type Facets = Awaited<ReturnType<typeof fetchOverview>>;

/** The table of some fields, and its rows with other answers. */
const useTable = (
  catalogue: Catalogue,
  fields: readonly Field[],
  question: Question,
  only: VariablesProps['only'],
) => {
  const locale = useLocale();
  const { t, number, percent } = locale;
  const nodes = catalogue.nodes.filter(({ nodeId }) => only === undefined || only.nodeId === nodeId);
  const { data: all } = useQuery(totalQuery(catalogue, question));
  const { data: counts } = useQuery(
    countsQuery(catalogue, fields.map(filled), question.nodes, { counter: null }),
  );
  const { data: categories } = useQuery(categoriesQuery(catalogue, fields, question));
  const totals = new Map(
    all?.nodes.filter(hasAnswered).map(({ nodeId, hits, upper }) => [nodeId, upper === hits ? hits : null]),
  );
  const withheld = new Set(
    all?.nodes.filter(({ disclosure }) => disclosure !== null).map(({ nodeId }) => nodeId),
  );
  const isWide = nodes.length <= maxColumns;
  const shareAt = (field: Field, counted: Counted | null | undefined, nodeId: string): string => {
    if (withheld.has(nodeId)) return t.zero.withheld;
    if (field.nodes !== null && !field.nodes.includes(nodeId)) return t.zero.notCovered;
    const [total, part] = [totals.get(nodeId), counted?.nodes?.find((node) => node.nodeId === nodeId)];
    return !total || part === undefined ? '' : percent(Math.min(1, part.count / total));
  };
  const categoriesOf = (field: Field, answer: Facets | undefined): string => {
    if (isAddress(field)) return t.link;
    const { path, kind } = field;
    const facet = answer?.facets.get(path);
    if (facet?.kind !== 'values') return t.kinds[kind as keyof typeof t.kinds];
    const texts = facet.buckets.map((bucket) => valueText(bucket, catalogue.fields.get(path), t));
    const rest = facet.bucketCount - facet.buckets.length;
    const more = facet.isCountExact ? number(rest) : t.noLess(number(rest));
    return [...texts, ...(rest > 0 ? [t.more(more)] : [])].join(', ');
  };
  const tableOf = (
    some: readonly Field[],
    counted: readonly (Counted | null)[] | undefined,
    answer: Facets | undefined,
  ) => ({
    head: [
      t.field,
      t.unit,
      t.categories,
      ...(only !== undefined
        ? [t.withValue, t.ownField]
        : isWide
          ? nodes.map(({ name }) => name)
          : [t.institutions]),
    ],
    rows: some.map((field, at) => [
      field.name,
      field.unit ?? '',
      categoriesOf(field, answer),
      ...(isWide
        ? nodes.map(({ nodeId }) => shareAt(field, counted?.[at], nodeId))
        : [t.coveredBy(field.nodes?.length ?? nodes.length, nodes.length)]),
      ...(only === undefined ? [] : [only.names.get(field.path) ?? field.path]),
    ]),
  });
  return { shown: tableOf(fields, counts, categories), of: tableOf };
};
