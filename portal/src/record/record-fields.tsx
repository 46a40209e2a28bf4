import type { Row } from '../api/answer.ts';
import type { Catalogue } from '../api/catalogue.ts';
import type { Field } from '../api/fields.ts';
import { valueAt } from '../api/read-answer.ts';
import type { WholeRecord } from '../api/record.ts';
import { CellValue } from '../explore/table/cell-value.tsx';
import { useLocale } from '../i18n/locale.tsx';
import { nameOf } from '../look/node-colours.ts';

interface RecordFieldsProps {
  readonly catalogue: Catalogue;
  readonly nodeId: string | null;
  readonly record: WholeRecord;
}

/** All fields with their names and units; nested parts as tables of their own; what is empty or not recorded last. */
export const RecordFields = ({ catalogue, nodeId, record }: RecordFieldsProps) => {
  const { t, list } = useLocale();
  const all = [...catalogue.fields.values()].filter(({ kind }) => kind !== 'nested');
  const nested = record.isNested
    ? [...catalogue.fields.values()].filter(({ kind }) => kind === 'nested')
    : [];
  const isInside = ({ path }: Field): boolean => nested.some((outer) => path.startsWith(`${outer.path}.`));
  const isRecorded = ({ nodes }: Field): boolean =>
    nodeId === null || nodes === null || nodes.includes(nodeId);
  const own = all.filter((field) => !isInside(field));
  const row = rowOf(record, nodeId, own);
  const hasValue = ({ path }: Field): boolean =>
    [row.values[path]].flat().some((value) => value != null && value !== '');
  const filled = own.filter((field) => isRecorded(field) && hasValue(field));
  // the id stands above, whatever the document says about it
  const empty = own.filter((field) => isRecorded(field) && !hasValue(field) && field.path !== 'id');
  const unrecorded = own.filter((field) => !isRecorded(field));
  const outermost = nested.filter((field) => !isInside(field));
  return (
    <>
      <div className="tablebox facts">
        <table>
          <tbody>
            {filled.map(({ path, name, unit, description }) => (
              <tr key={path}>
                <th scope="row" title={description ?? path}>
                  {name}
                  {unit !== null && <small> {unit}</small>}
                </th>
                <td>
                  <CellValue {...{ catalogue, row, path }} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {outermost.map((field) => (
        <NestedTable
          key={field.path}
          {...{ catalogue, field, nodeId }}
          items={[valueAt(record.document, field.path.split('.'))].flat()}
        />
      ))}
      {empty.length > 0 && (
        <p className="small quiet">
          {t.emptyFields}: {list(empty.map(({ name }) => name))}
        </p>
      )}
      {unrecorded.length > 0 && nodeId !== null && (
        <p className="small quiet">
          {t.hasNoField(nameOf(catalogue, nodeId))}: {list(unrecorded.map(({ name }) => name))}
        </p>
      )}
    </>
  );
};

/** A record as a row, so that its values read as in the table; without its institution, since coverage is shown separately. */
const rowOf = (
  { document, isNested }: WholeRecord,
  nodeId: string | null,
  fields: readonly Field[],
): Row => ({
  id: '',
  nodeId,
  cursor: null,
  values: Object.fromEntries(
    fields.map(({ path }) => [path, isNested ? valueAt(document, path.split('.')) : document[path]]),
  ),
});

interface NestedTableProps {
  readonly catalogue: Catalogue;
  readonly nodeId: string | null;
  readonly field: Field;
  readonly items: readonly unknown[];
}

/** The objects of a nested list, one a line; lists inside them are counted and open below. */
const NestedTable = ({ catalogue, nodeId, field, items }: NestedTableProps) => {
  const { number } = useLocale();
  const objects = items.filter(
    (item): item is Readonly<Record<string, unknown>> => typeof item === 'object' && item !== null,
  );
  if (objects.length === 0) return null;
  const below = [...catalogue.fields.values()].filter(
    ({ path, nodes }) =>
      path.startsWith(`${field.path}.`) && (nodeId === null || nodes === null || nodes.includes(nodeId)),
  );
  const inner = below.filter(({ kind }) => kind === 'nested');
  const direct = below.filter(
    ({ path, kind }) => kind !== 'nested' && !inner.some((each) => path.startsWith(`${each.path}.`)),
  );
  const inside = (path: string): readonly string[] => path.slice(field.path.length + 1).split('.');
  return (
    <section className="stack">
      <h2>
        {field.name} <small>{number(objects.length)}</small>
      </h2>
      <div className="tablebox" tabIndex={0} role="region" aria-label={field.name}>
        <table>
          <thead>
            <tr>
              {direct.map(({ path, name, unit }) => (
                <th key={path} scope="col">
                  {name}
                  {unit !== null && <small> {unit}</small>}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {objects.map((object, at) => (
              <tr key={at}>
                {direct.map(({ path }) => (
                  <td key={path}>
                    <CellValue
                      {...{ catalogue, path }}
                      row={{
                        id: '',
                        nodeId: null,
                        cursor: null,
                        values: { [path]: valueAt(object, inside(path)) },
                      }}
                    />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {inner
        .filter(({ path }) => !inner.some((each) => path.startsWith(`${each.path}.`)))
        .map((each) => (
          <NestedTable
            key={each.path}
            {...{ catalogue, nodeId }}
            field={each}
            items={objects.flatMap((object) => [valueAt(object, inside(each.path))].flat())}
          />
        ))}
    </section>
  );
};
