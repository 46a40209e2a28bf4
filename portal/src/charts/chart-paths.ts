import { openFacets, type Catalogue } from '../api/catalogue.ts';
import type { PortalConfig } from '../api/config.ts';
import type { View } from '../state/view.ts';

/** Separates two fields of a heat map: `one × other`. */
export const against = ' × ';

/** The charts of a view: those that were chosen, those the consortium begins with, or the first facets. */
export const chartsOf = ({ look }: PortalConfig, catalogue: Catalogue, view: View): readonly string[] =>
  view.charts ??
  look.charts?.filter((path) => catalogue.fields.has(path)) ??
  openFacets(catalogue).slice(0, 6);

/** The fields to query for charts; for heat maps the first. */
export const chartPaths = (config: PortalConfig, catalogue: Catalogue, view: View): readonly string[] =>
  chartsOf(config, catalogue, view).map((name) => name.split(against)[0]!);
