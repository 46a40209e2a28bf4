import { useQuery } from '@tanstack/react-query';
import { Button } from 'react-aria-components';
import type { Catalogue } from '../api/catalogue.ts';
import type { Field } from '../api/fields.ts';
import { termQuery } from '../api/terms.ts';
import { useLocale } from '../i18n/locale.tsx';

interface LevelPathProps {
  readonly catalogue: Catalogue;
  readonly field: Field;
  readonly under: string;
  readonly onLevel: (under: string | null) => void;
  readonly onChoose: (term: string) => void;
}

/** The parent term of a level with its ancestors, each of which shows its own level, and a button that selects the term. */
export const LevelPath = ({ catalogue, field, under, onLevel, onChoose }: LevelPathProps) => {
  const { t } = useLocale();
  const { data } = useQuery(termQuery(catalogue, field, under));
  const label = data?.label ?? under;
  return (
    <p className="row small">
      <Button className="bare" onPress={() => onLevel(null)}>
        {field.name}
      </Button>
      {(data?.path ?? []).map((term) => (
        <Button key={term.id} className="bare" onPress={() => onLevel(term.id)}>
          › {term.label}
        </Button>
      ))}
      <b>› {label}</b>
      <Button className="bare" onPress={() => onChoose(under)}>
        {t.labelled(t.filter, label)}
      </Button>
    </p>
  );
};
