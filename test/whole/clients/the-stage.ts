/** Everything the checks need: servers with data, a page that shows them, a browser. */
export interface Stage {
  /** The donors, by how they are served: the base of an API each. */
  readonly donors: Readonly<Record<'a catalogue' | 'a network', string>>;
  /** The base of the API of three museums. */
  readonly museumsUrl: string;
  /** The base of the API of the sample consortium. */
  readonly consortiumUrl: string;
  readonly pageUrl: string;
  /** Where the checks, processes of their own, reach the browser. */
  readonly browserUrl: string;
}

/** What the page is told in its address. */
export interface ShownPortal {
  readonly apiUrl: string;
  readonly documentType: string;
  /** The field by which ticked rows are downloaded. */
  readonly rowId: string;
  /** The fields of the quick search; the first is shown. */
  readonly quickSearch: readonly string[];
}

/** The variable in which the checks are told where the stage is. */
export const stageVariable = 'CLIENT_CHECKS_STAGE';

/**
 * The stage that was opened for all checks.
 * @throws when there is none
 */
export const theStage = (): Stage => {
  const variable = process.env[stageVariable];
  if (variable === undefined)
    throw new Error('no stage is open: start the checks with npm run test:all -- clients');
  return JSON.parse(variable) as Stage;
};
