/** Maps between a node's values of a field and the network's, both ways. */
export interface ValueMap {
  /** The network's value of a node's value. */
  readonly toNetwork: (value: string) => string;
  /** All node values shown as this network value; empty when there are none. */
  readonly toNode: (value: string) => readonly string[];
  /** The node values that the map lists. */
  readonly listed: ReadonlyMap<string, string>;
}
