/** Everything the checks need: a server with the donors, a page that shows them, a browser. */
export interface Stage {
  readonly serverUrl: string;
  readonly portalUrl: string;
  /** Where the checks, processes of their own, reach the browser. */
  readonly browserUrl: string;
}

/** The variable in which the checks are told where the stage is. */
export const stageVariable = 'CLIENT_CHECKS_STAGE';

/**
 * The stage that was opened for all checks.
 * @throws when there is none
 */
export const theStage = (): Stage => {
  const told = process.env[stageVariable];
  if (told === undefined) throw new Error('no stage is open: start the checks with npm run test:clients');
  return JSON.parse(told) as Stage;
};
