/** The result of a configuration reload, in lines for the log and the terminal. */
export interface ReloadReport {
  readonly changes: readonly string[];
  /** Changes that have no effect, with the reason. */
  readonly problems: readonly string[];
}
