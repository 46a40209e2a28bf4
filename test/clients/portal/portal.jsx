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

const apiUrl = new URLSearchParams(location.search).get('api');

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
        customExporters: [{ fileName: 'donors.tsv', function: 'saveTSV', label: 'TSV', maxRows: 10000 }],
        exportSelectedRowsField: 'donor_id',
        label: 'Download',
      },
      PageSelector: { showTotalPages: true },
    },
  },
};

const Portal = () => (
  <ArrangerDataProvider apiUrl={apiUrl} customFetcher={customFetcher} documentType="donor" theme={theme}>
    <main>
      <aside>
        <QuickSearch displayFieldName="donor_id" fieldNames={['donor_id', 'specimens.samples.sample_id']} />
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
