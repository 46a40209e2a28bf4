/** A column's label, description and type in comments above a header. */
export interface ColumnNote {
  readonly label: string;
  readonly description: string;
  readonly type: StudyType;
}

const studyTypes = ['STRING', 'NUMBER', 'BOOLEAN', 'DATETIME'] as const;
type StudyType = (typeof studyTypes)[number];

/**
 * The comment lines of a cBioPortal clinical file: display names, descriptions, types, (in older files the attribute's
 * level,) priorities; empty for other comments.
 * @see https://docs.cbioportal.org/file-formats/#clinical-data
 */
export const studyColumns = (
  comments: readonly (readonly string[])[],
  width: number,
  sign: string,
): readonly ColumnNote[] => {
  const [labels, descriptions, types] = comments.map(([first = '', ...others]) => [
    first.slice(sign.length).trim(),
    ...others,
  ]);
  if (labels?.length !== width || descriptions?.length !== width || types?.length !== width) return [];
  const known = types.map((type) => studyTypes.find((one) => one === type.toUpperCase()));
  return known.flatMap((type, at) =>
    type === undefined || known.includes(undefined)
      ? []
      : [{ label: labels[at]!, description: descriptions[at]!, type }],
  );
};
