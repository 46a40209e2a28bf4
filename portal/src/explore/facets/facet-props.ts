import type { Catalogue } from '../../api/catalogue.ts';
import type { Extents } from '../../api/extents.ts';
import type { Field } from '../../api/fields.ts';
import type { View } from '../../state/view.ts';

/** The props of a facet's box and of its content. */
export interface FacetProps {
  readonly path: string;
  /** The name in the heading above for the objects that it counts; null: there is no such heading. */
  readonly object?: string | null;
  readonly field: Field;
  readonly catalogue: Catalogue;
  /** Only the conditions on this field are read here. */
  readonly view: View;
  readonly extents: Extents;
  /** The number of records that the facets count; null: not known. */
  readonly total: number | null;
  readonly edit: (how: (view: View) => View) => void;
  readonly showMore: (path: string, count: number) => void;
}
