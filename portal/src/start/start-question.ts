import type { Catalogue } from '../api/catalogue.ts';
import type { PortalConfig } from '../api/config.ts';
import type { FacetSizes, Question } from '../api/questions.ts';

const chartsShown = 6;

/** The start page queries all institutions without a filter. */
export const everything: Question = { filter: null, nodes: null };

export const chartSizes: FacetSizes = { asUsual: 6, more: {} };

/** The facets that the start page draws: the consortium's choice, else the first ones. */
export const startPaths = ({ look }: PortalConfig, { facets, fields }: Catalogue): readonly string[] =>
  (look.charts ?? facets).filter((path) => fields.has(path)).slice(0, chartsShown);
