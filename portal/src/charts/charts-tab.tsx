import { useState } from 'react';
import { Button } from 'react-aria-components';
import { useLocale } from '../i18n/locale.tsx';
import type { Exploration } from '../explore/exploration.ts';
import type { Field } from '../api/fields.ts';
import { Choice } from '../frame/choices.tsx';
import { withMore } from '../state/terms.ts';
import { against, chartsOf } from './chart-paths.ts';
import { AwaitedChart } from './awaited-chart.tsx';
import { FacetChart } from './facet-chart.tsx';
import { HeatMap } from './heat-map.tsx';

/** Charts of any facets, each with its own coverage. */
const ChartsTab = (exploration: Exploration) => {
  const { catalogue, config, view, overview, isStale, change, question } = exploration;
  const { t } = useLocale();
  const charts = chartsOf(config, catalogue, view);
  const fieldOf = (path: string): Field => catalogue.fields.get(path)!;
  const without = (name: string): void => change({ ...view, charts: charts.filter((each) => each !== name) });
  return (
    <div className="stack">
      <AddChart {...exploration} charts={charts} />
      <div className="grid">
        {charts.map((name) => {
          const [path = '', other] = name.split(against);
          const facet = overview?.facets.get(path);
          if (facet === undefined)
            return overview?.areRangesAwaited === true && catalogue.fields.has(path) ? (
              <AwaitedChart key={name} {...{ catalogue, path }} />
            ) : null;
          if (other !== undefined)
            return facet.kind === 'values' ? (
              <HeatMap
                key={name}
                {...{ catalogue, question, other }}
                first={facet}
                onChoose={(own, another) =>
                  change(withMore(withMore(view, fieldOf(path), own), fieldOf(other), another))
                }
                onRemove={() => without(name)}
              />
            ) : null;
          return (
            <FacetChart
              key={name}
              {...{ catalogue, facet, view, isStale }}
              onLook={change}
              onFilter={change}
              total={overview?.total ?? null}
              action={facet.kind === 'values' ? t.addToFilter : t.filterByRange}
              onRemove={() => without(name)}
            />
          );
        })}
      </div>
    </div>
  );
};

const AddChart = ({
  catalogue,
  view,
  change,
  charts,
}: Exploration & { readonly charts: readonly string[] }) => {
  const { t } = useLocale();
  const named = catalogue.facets.map((path) => [path, catalogue.fields.get(path)!.name] as const);
  const values = named.filter(([path]) => catalogue.fields.get(path)!.kind === 'values');
  const [path, setPath] = useState(
    named.find(([each]) => !charts.includes(each))?.[0] ?? named[0]?.[0] ?? '',
  );
  const [other, setOther] = useState('');
  const isValues = values.some(([each]) => each === path);
  const name = other !== '' && isValues && other !== path ? path + against + other : path;
  return (
    <div className="row">
      <Choice label={t.addChart} value={path} options={named} onChange={setPath} />
      {isValues && (
        <Choice
          label={t.against}
          value={other}
          options={[['', `(${t.against} …)`], ...values]}
          onChange={setOther}
        />
      )}
      <Button
        className="plain"
        isDisabled={charts.includes(name)}
        onPress={() => change({ ...view, charts: [...charts, name] })}
      >
        {t.addChart}
      </Button>
    </div>
  );
};

export default ChartsTab;
