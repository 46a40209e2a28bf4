/**
 * In what servers differ. `_id`: OpenSearch and Elasticsearch 7 sort by the key; from 8 on Elasticsearch refuses that,
 * so there the number of the write breaks ties, then the place in the shard.
 */
export interface Dialect {
  readonly tieBreak: '_id' | '_seq_no';
}
