/**
 * Differences between servers. `_id`: OpenSearch and Elasticsearch 7 sort by the key; Elasticsearch 8 and later refuse
 * to, so there the sequence number breaks ties, then the position in the shard.
 */
export interface Dialect {
  readonly tieBreak: '_id' | '_seq_no';
}
