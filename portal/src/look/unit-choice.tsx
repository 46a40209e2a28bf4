import type { Catalogue } from '../api/catalogue.ts';
import type { Field } from '../api/fields.ts';
import { ownUnit, unitsOf, type Unit } from '../api/units.ts';
import { Choice } from '../frame/choices.tsx';
import { useLocale } from '../i18n/locale.tsx';
import { useCounted } from './counted.ts';

interface UnitChoiceProps {
  readonly catalogue: Catalogue;
  readonly field: Field;
  /** What the numbers count. */
  readonly unit: Unit;
  /** @param unit null: what the server counts */
  readonly onUnit: (unit: Unit | null) => void;
}

/** What the numbers of a facet count: as a choice, if there is one. */
export const UnitChoice = ({ catalogue, field, unit, onUnit }: UnitChoiceProps) => {
  const { t } = useLocale();
  const counted = useCounted(catalogue);
  const units = unitsOf(field, catalogue);
  if (units.length < 2) return counted(unit, 2);
  const own = ownUnit(field, catalogue);
  return (
    <Choice
      className="unit"
      label={t.labelled(field.name, t.countsOf(counted(unit, 2)))}
      title={t.countsOf(counted(unit, 2))}
      value={unit}
      options={units.map((each) => [each, counted(each, 2)])}
      onChange={(next) => onUnit(next === own ? null : next)}
    />
  );
};
