/** A node's values of a field against the network's, both ways. */
export interface ValueMap {
  /** The network's value of a node's value. */
  readonly toNetwork: (value: string) => string;
  /** All node values that show as this network value; empty when there is none. */
  readonly toNode: (value: string) => readonly string[];
  /** The node's values that are listed. */
  readonly listed: ReadonlyMap<string, string>;
}
