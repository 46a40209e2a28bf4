/** The heads of a table's columns. @param isNumber whether a column has numbers, by its place; unset: none has */
export const Heads = ({
  names,
  isNumber,
}: {
  readonly names: readonly string[];
  readonly isNumber?: (at: number) => boolean;
}) => (
  <thead>
    <tr>
      {names.map((name, at) => (
        <th key={at} scope="col" className={isNumber?.(at) === true ? 'n' : undefined}>
          {name}
        </th>
      ))}
    </tr>
  </thead>
);
