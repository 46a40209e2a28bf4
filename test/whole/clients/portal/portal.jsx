import {
  Aggregations,
  ArrangerDataProvider,
  ColumnsSelectButton,
  CountDisplay,
  DownloadButton,
  MaxRowsSelector,
  PageSelector,
  QuickSearch,
  SQONViewer,
  Table,
  TableContextProvider,
} from '@overture-stack/arranger-components';
import { createRoot } from 'react-dom/client';
import './portal.css';

const shown = new URLSearchParams(location.search);
const apiUrl = shown.get('api');
const documentType = shown.get('documentType');
const quickSearch = shown.get('quickSearch').split(',');

/** The fetcher the package brings along hands on a response where its components expect the body. */
const customFetcher = async ({ endpoint = 'graphql', endpointTag = '', body, headers }) => {
  const path = [endpoint, endpointTag].map((part) => part.replace(/^\/|\/$/g, '')).filter(Boolean);
  const answer = await fetch(`${apiUrl}/${path.join('/')}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  return answer.json();
};

const theme = {
  components: {
    QuickSearch: { DropDownItems: { entityLogo: { enabled: false } } },
    Table: {
      ColumnsSelectButton: { label: 'Columns' },
      DownloadButton: {
        customExporters: [
          { fileName: `${documentType}s.tsv`, function: 'saveTSV', label: 'TSV', maxRows: 10000 },
        ],
        exportSelectedRowsField: shown.get('rowId'),
        label: 'Download',
      },
      PageSelector: { showTotalPages: true },
    },
  },
};

const Portal = () => (
  <ArrangerDataProvider
    apiUrl={apiUrl}
    customFetcher={customFetcher}
    documentType={documentType}
    theme={theme}
  >
    <main>
      <aside>
        <QuickSearch displayFieldName={quickSearch[0]} fieldNames={quickSearch} />
        <Aggregations />
      </aside>
      <section>
        <SQONViewer />
        <TableContextProvider>
          <div className="toolbar">
            <CountDisplay />
            <ColumnsSelectButton />
            <DownloadButton />
          </div>
          <Table />
          <div className="toolbar">
            <MaxRowsSelector />
            <PageSelector />
          </div>
        </TableContextProvider>
      </section>
    </main>
  </ArrangerDataProvider>
);

createRoot(document.getElementById('portal')).render(<Portal />);
