import { useState } from 'react';
import { Button, Checkbox } from 'react-aria-components';
import type { Catalogue, Column } from '../../api/catalogue.ts';
import { useLocale } from '../../i18n/locale.tsx';
import { Window } from '../../look/window.tsx';
import { ColumnsIcon, DownIcon, UpIcon } from '../../look/icons.tsx';

interface ColumnChoiceProps {
  readonly catalogue: Catalogue;
  readonly columns: readonly Column[];
  readonly onChange: (paths: readonly string[]) => void;
}

/** Which columns are shown, and in which order. */
export const ColumnChoice = ({ catalogue, columns, onChange }: ColumnChoiceProps) => {
  const { t } = useLocale();
  const [isOpen, setOpen] = useState(false);
  const shown = columns.map(({ path }) => path);
  const others = [...catalogue.fields.values()].filter(
    ({ path, kind }) => kind !== 'nested' && kind !== 'other' && !shown.includes(path),
  );
  const moved = (at: number, by: number): readonly string[] => {
    const next = [...shown];
    const [path] = next.splice(at, 1);
    next.splice(at + by, 0, path!);
    return next;
  };
  return (
    <>
      <Button className="plain" onPress={() => setOpen(true)}>
        <ColumnsIcon /> {t.columns}
      </Button>
      {isOpen && (
        <Window title={t.columns} onClose={() => setOpen(false)}>
          <ol>
            {columns.map(({ path, name }, at) => (
              <li key={path} className="row">
                <Checkbox
                  className="value"
                  isSelected
                  isDisabled={shown.length === 1}
                  onChange={() => onChange(shown.filter((each) => each !== path))}
                >
                  <span className="box">✓</span>
                  <span className="text">{name}</span>
                </Checkbox>
                <span className="row" style={{ marginInlineStart: 'auto' }}>
                  <Button
                    className="bare"
                    isDisabled={at === 0}
                    aria-label={`${name} ↑`}
                    onPress={() => onChange(moved(at, -1))}
                  >
                    <UpIcon />
                  </Button>
                  <Button
                    className="bare"
                    isDisabled={at === shown.length - 1}
                    aria-label={`${name} ↓`}
                    onPress={() => onChange(moved(at, 1))}
                  >
                    <DownIcon />
                  </Button>
                </span>
              </li>
            ))}
            {others.map(({ path, name }) => (
              <li key={path}>
                <Checkbox className="value" isSelected={false} onChange={() => onChange([...shown, path])}>
                  <span className="box" />
                  <span className="text">{name}</span>
                </Checkbox>
              </li>
            ))}
          </ol>
        </Window>
      )}
    </>
  );
};
