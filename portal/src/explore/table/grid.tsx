import {
  Cell,
  Column as HeaderCell,
  ColumnResizer,
  ResizableTableContainer,
  Row as TableRow,
  Table,
  TableBody,
  TableHeader,
  TableLayout,
  Virtualizer,
  type SortDescriptor,
} from 'react-aria-components';
import { memo } from 'react';
import type { Row } from '../../api/answer.ts';
import type { Catalogue, Column, Sort } from '../../api/catalogue.ts';
import { PageLink } from '../../frame/page-link.tsx';
import { useLocale } from '../../i18n/locale.tsx';
import { colourOf, nameOf, shortName } from '../../look/node-colours.ts';
import { searchOf } from '../../state/edit.ts';
import { currentPlace, go } from '../../state/navigation.ts';
import { recordKey, rowKey, type View } from '../../state/view.ts';
import { CellValue } from './cell-value.tsx';

export interface GridProps {
  readonly catalogue: Catalogue;
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
  readonly sort: readonly Sort[];
  readonly view: View;
}

const institution = '@institution';
const rowHeight = 36;
const maxVisible = 18;

/** Rows that exist only while visible: thousands cost no more than a screenful. */
export const Grid = memo(({ catalogue, columns, rows, sort, view }: GridProps) => {
  const { t } = useLocale();
  const isNetwork = catalogue.source.kind === 'network';
  const search = searchOf(view);
  const [first, ...others] = columns;
  const heads = [
    ...(first === undefined ? [] : [{ id: first.path, ...first }]),
    ...(isNetwork
      ? [{ id: institution, path: institution, name: t.institution, isShown: true, canSort: false }]
      : []),
    ...others.map((column) => ({ id: column.path, ...column })),
  ];
  const items = rows.map((row, at) => ({ row, at, key: rowKey(row) }));
  const key = sort[0];
  return (
    <ResizableTableContainer
      className="tablebox gridbox"
      style={{ height: (Math.min(rows.length, maxVisible) + 1) * rowHeight + 4 }}
    >
      <Virtualizer layout={TableLayout} layoutOptions={{ rowHeight, headingHeight: rowHeight }}>
        <Table
          aria-label={t.table}
          {...(key === undefined ? {} : { sortDescriptor: descriptorOf(key) })}
          onSortChange={({ column, direction }) =>
            go('explore', {
              // rows stay until those of the next view have arrived
              ...currentPlace().view,
              sort: [{ fieldName: String(column), order: direction === 'descending' ? 'desc' : 'asc' }],
            })
          }
          onRowAction={(opened) => {
            const item = items.find((one) => one.key === opened);
            if (item !== undefined) go('record', recordView(view, item));
          }}
        >
          <TableHeader columns={heads}>
            {(column) => (
              <HeaderCell
                isRowHeader={column.id === heads[0]?.id}
                allowsSorting={column.canSort}
                minWidth={column.id === institution ? 120 : 150}
                defaultWidth="1fr"
              >
                {({ sortDirection }) => (
                  <div className="headcell">
                    <span className="clip">{column.name}</span>
                    {sortDirection !== undefined && (
                      <span aria-hidden>{sortDirection === 'ascending' ? '↑' : '↓'}</span>
                    )}
                    <ColumnResizer className="resizer" />
                  </div>
                )}
              </HeaderCell>
            )}
          </TableHeader>
          <TableBody items={items}>
            {({ row, at, key: place }) => (
              <TableRow id={place} columns={heads}>
                {(column) => (
                  <Cell>
                    <div className="clip">
                      {column.id === institution ? (
                        <Institution catalogue={catalogue} nodeId={row.nodeId ?? ''} />
                      ) : column.id === heads[0]?.id ? (
                        <PageLink page="record" view={recordView(view, { row, at })}>
                          <CellValue {...{ catalogue, row, search }} {...column} isLinked />
                        </PageLink>
                      ) : (
                        <CellValue {...{ catalogue, row, search }} {...column} />
                      )}
                    </div>
                  </Cell>
                )}
              </TableRow>
            )}
          </TableBody>
        </Table>
      </Virtualizer>
    </ResizableTableContainer>
  );
});

const descriptorOf = ({ fieldName, order }: Sort): SortDescriptor => ({
  column: fieldName,
  direction: order === 'desc' ? 'descending' : 'ascending',
});

const recordView = (view: View, { row, at }: { readonly row: Row; readonly at: number }): View => ({
  ...view,
  record: { ...recordKey(row), at },
});

const Institution = ({ catalogue, nodeId }: { readonly catalogue: Catalogue; readonly nodeId: string }) => (
  <>
    <span className="dot" style={{ background: colourOf(catalogue, nodeId) }} aria-hidden />{' '}
    {shortName(nameOf(catalogue, nodeId))}
  </>
);
