import type { Overview } from '../api/answer.ts';
import type { Catalogue } from '../api/catalogue.ts';
import type { PortalConfig } from '../api/config.ts';
import type { Extents } from '../api/extents.ts';
import type { Question } from '../api/questions.ts';
import type { View } from '../state/view.ts';

/** What the parts of Explore share. */
export interface Exploration {
  readonly config: PortalConfig;
  readonly catalogue: Catalogue;
  readonly view: View;
  readonly question: Question;
  /** null: not answered yet. */
  readonly overview: Overview | null;
  /** The overview belongs to the previous query. */
  readonly isStale: boolean;
  /** The query failed: missing parts will not arrive. */
  readonly hasFailed: boolean;
  readonly extents: Extents;
  readonly change: (view: View) => void;
  /** Applies a change to the current view: for components that are not rendered on every change. */
  readonly edit: (how: (view: View) => View) => void;
  /** Requests more values of a facet. */
  readonly showMore: (path: string, count: number) => void;
}
