import { Button } from 'react-aria-components';
import type { Catalogue, Column } from '../../api/catalogue.ts';
import { useLocale } from '../../i18n/locale.tsx';
import { CheckIcon, DownIcon, UpIcon } from '../../look/icons.tsx';
import { Tick } from '../../look/tick.tsx';
import { Window } from '../../look/window.tsx';

interface ColumnWindowProps {
  readonly catalogue: Catalogue;
  readonly columns: readonly Column[];
  readonly onChange: (paths: readonly string[]) => void;
  readonly onClose: () => void;
}

/** Which columns are shown, and in which order. */
const ColumnWindow = ({ catalogue, columns, onChange, onClose }: ColumnWindowProps) => {
  const { t } = useLocale();
  const shown = columns.map(({ path }) => path);
  const fields = [...catalogue.fields.values()].filter(({ kind }) => kind !== 'nested' && kind !== 'other');
  const all = new Map([...fields, ...catalogue.columns].map(({ path, name }) => [path, { path, name }]));
  const others = [...all.values()].filter(({ path }) => !shown.includes(path));
  const moved = (at: number, by: number): readonly string[] => {
    const next = [...shown];
    const [path] = next.splice(at, 1);
    next.splice(at + by, 0, path!);
    return next;
  };
  return (
    <Window title={t.columns} onClose={onClose}>
      <ol>
        {columns.map(({ path, name }, at) => (
          <li key={path} className="row">
            <Tick
              isTicked
              isDisabled={shown.length === 1}
              mark={<CheckIcon />}
              onToggle={() => onChange(shown.filter((each) => each !== path))}
            >
              <span className="text">{name}</span>
            </Tick>
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
            <Tick isTicked={false} mark={null} onToggle={() => onChange([...shown, path])}>
              <span className="text">{name}</span>
            </Tick>
          </li>
        ))}
      </ol>
    </Window>
  );
};

export default ColumnWindow;
