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
  /** The overview is that of the question before. */
  readonly isStale: boolean;
  /** The question failed: what is not there does not come. */
  readonly hasFailed: boolean;
  readonly extents: Extents;
  readonly change: (view: View) => void;
  /** The change applied to the view at that time: for what is not drawn on every change. */
  readonly edit: (how: (view: View) => View) => void;
  /** Requests more values of a facet. */
  readonly showMore: (path: string, count: number) => void;
}
