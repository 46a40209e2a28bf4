/**
 * The part of the GraphQL schema that is the same everywhere, field by field. Everything may be null, as the contract
 * says; who reads it knows what is not.
 *
 * Written by scripts/portal-types.ts from the schema. Change that, and run `npm run portal:types`.
 */

/** Many nodes as one: what they answered, and which of them did. */
export interface Network {
  /** How many documents match over all nodes that answered; null when none did. */
  readonly total: number | null;
  /** How many match at most: the total, where it is exact; null where it is not known. */
  readonly upper_bound: number | null;
  /** Whether anything matches; null where that is not known. */
  readonly exists: boolean | null;
  /** Whether the total is exact. */
  readonly exact: boolean | null;
  /** About how many match, where the total is not exact: never a count. */
  readonly estimate: number | null;
  /** Whether some node that was queried did not answer. */
  readonly partial: boolean | null;
  /** Each node and how its part of the query went. */
  readonly nodes: readonly (NetworkNode | null)[] | null;
  /** Documents of all nodes in one order, page by page. */
  readonly hits: NetworkConnection | null;
  /** How many values of a field each two nodes share, of the documents that match: of a keyword or an integer field. */
  readonly overlap: NetworkOverlap | null;
}

/** A node of a network and how its part of the request went. A catalogue that is not a network is its only node. */
export interface NetworkNode {
  /** The id that nodes.json gives it. */
  readonly nodeId: string | null;
  /** Its display name. */
  readonly name: string | null;
  /** How many of its documents match: at least, where they are withheld; null when it was not queried. */
  readonly hits: number | null;
  /** How many match at most: `hits`, where that is exact; null where it is not known. */
  readonly upper_bound: number | null;
  /** Whether it shows no documents to this caller, and counts only as intervals. */
  readonly withheld: boolean | null;
  /** What its answers are then: `tier`, `threshold`, what is `counted`, the `date` of the release and how many changes it holds back (`waits`); null otherwise. */
  readonly disclosure: unknown;
  /** OK or ERROR; null when it was not queried. */
  readonly status: string | null;
  /** What went wrong, in words; "" when nothing did. */
  readonly errors: string | null;
  /** ok, excluded, or why it could not answer, such as timeout, disconnected or discoveryFailed. */
  readonly state: string | null;
  /** The code of what went wrong; null when nothing did. */
  readonly code: string | null;
  /** How long it took, in milliseconds. */
  readonly took: number | null;
  /** Names the catalogue wherever it is met: its server's key and its id; null when it is not known. */
  readonly key: string | null;
  /** The fields of the question that it does not have. */
  readonly uncoveredFields: readonly (string | null)[] | null;
}

/** A page of documents of all nodes. */
export interface NetworkConnection {
  /** How many match in all, not only on this page: at least, where upper_bound is more. */
  readonly total: number | null;
  /** How many match at most: the total, where it is exact; null where it is not known. */
  readonly upper_bound: number | null;
  /** Whether anything matches; null where that is not known. */
  readonly exists: boolean | null;
  /** Whether the total is exact. */
  readonly exact: boolean | null;
  /** About how many match, where the total is not exact: never a count. */
  readonly estimate: number | null;
  /** In the order of the sort. */
  readonly edges: readonly (NetworkEdge | null)[] | null;
}

/** A place in a page of the network. */
export interface NetworkEdge {
  /** The document. */
  readonly node: unknown;
  /** The id of the node it is from. */
  readonly nodeId: string | null;
  /** The cursor of this place: the next page continues after it. */
  readonly searchAfter: unknown;
}

/** How far nodes hold the same values of a field. */
export interface NetworkOverlap {
  /** The nodes that gave a sample of its values. */
  readonly nodes: readonly (string | null)[] | null;
  /** The nodes that answered and have the field, but give no sample: they are in no pair. */
  readonly nodesWithoutSample: readonly (string | null)[] | null;
  /** Each two of the nodes whose values are of one type, texts or integers. */
  readonly pairs: readonly (NetworkOverlapPair | null)[] | null;
}

/** Two nodes and the values that both have. */
export interface NetworkOverlapPair {
  /** The id of one node. */
  readonly a: string | null;
  /** The id of the other. */
  readonly b: string | null;
  /** How many values both have. */
  readonly both: NetworkOverlapBounds | null;
}

/** How many values two nodes share; 99.7 % of the bounds hold. lower and estimate are null where the samples share fewer than 10 keys. */
export interface NetworkOverlapBounds {
  /** A lower bound of how many they share. */
  readonly lower: number | null;
  /** An estimate of how many they share. */
  readonly estimate: number | null;
  /** An upper bound of how many they share. */
  readonly upper: number | null;
}

/** The values of a field and how many documents have each. */
export interface Aggregations {
  /** How many distinct values there are, `__missing__` included, whatever max cuts off; null for histograms and ranges. */
  readonly bucket_count: number | null;
  /** Largest count first, then by key; `__missing__` last. Histograms and ranges keep their own order. */
  readonly buckets: readonly (Bucket | null)[] | null;
  /** Whether bucket_count is exact: false where a node of a network did not list all it has. */
  readonly bucket_count_exact: boolean | null;
  /** How many documents a value that is not listed has at most. */
  readonly unlisted_upper_bound: number | null;
  /** How many distinct values there are, `__missing__` not counted, those of several nodes counted once: an estimate unless cardinality_bounds is exact. null when some node of a network can only be counted by itself. */
  readonly cardinality: number | null;
  /** Bounds on the number of distinct values. */
  readonly cardinality_bounds: CardinalityBounds | null;
  /** What the number of distinct values of several nodes is made of: `{v, hash, N, n, levels}`. n keys, 64-bit hashes of those values whose hash falls into part 0 of N, grouped by its trailing zero bits; of 1 part, all values. null for dates, fractions and other values that nodes cannot hash alike. */
  readonly distinct_sample: unknown;
  /** How many documents have any value of each of some sets; a document counts once in each. */
  readonly groups: Aggregations | null;
  /** A level of the field's hierarchy. Without `under`, the first level that branches. A document counts once for each term, so the counts do not add up. */
  readonly tree: Tree | null;
  /** Which nodes these numbers come from. */
  readonly coverage: readonly (FacetCoverage | null)[] | null;
}

/** One value of a field, or one interval or range, and how much falls into it. */
export interface Bucket {
  /** How many documents have the value; of histograms and ranges, how many values fall into it. In a network, how many have it at least. */
  readonly doc_count: number | null;
  /** The value as text; `__missing__` stands for documents without one. */
  readonly key: string | null;
  /** "true" or "false" of a boolean, whose keys are 1 and 0; the start of an interval of the calendar, ISO 8601; null otherwise. */
  readonly key_as_string: string | null;
  /** The first document of the bucket, or the first nested object of a nested field. */
  readonly top_hits: unknown;
  /** `{doc_count}`: how many documents of the bucket match a filter. */
  readonly filter_by_term: unknown;
  /** The same as doc_count: the sum over the nodes that listed it. */
  readonly lower_bound: number | null;
  /** How many there are at most, whatever nodes did not list. */
  readonly upper_bound: number | null;
  /** Whether there are any; null where that is not known. */
  readonly exists: boolean | null;
  /** Whether both bounds are the same. */
  readonly exact: boolean | null;
  /** About how many there are, where doc_count is not exact: never a count. */
  readonly estimate: number | null;
  /** Which node has how many. */
  readonly nodes: readonly (NodeCount | null)[] | null;
}

/** The part of one node in a bucket. A catalogue that is not a network is its only node. */
export interface NodeCount {
  /** The id of the node. */
  readonly nodeId: string | null;
  /** How many of its documents have the value. */
  readonly doc_count: number | null;
}

/** Bounds on the number of distinct values: the nodes of a network may share some. Where values are sampled, 99.7 % of the bounds hold. */
export interface CardinalityBounds {
  /** The least number of values there can be. */
  readonly lower: number | null;
  /** The greatest number of values there can be; null if unknown. */
  readonly upper: number | null;
  /** Whether both are the same. */
  readonly exact: boolean | null;
}

/** A level of a hierarchy: the terms directly under one, each with its documents. */
export interface Tree {
  /** The id of the term above the level; null above several roots. */
  readonly key: string | null;
  /** Its label. */
  readonly label: string | null;
  /** How many documents there are; in a network, how many at least. */
  readonly doc_count: number | null;
  /** How many there are at most; null when it is not known. */
  readonly upper_bound: number | null;
  /** Whether both are equal. */
  readonly exact: boolean | null;
  /** Whether there is any; null when it is not known. */
  readonly exists: boolean | null;
  /** About how many there are where they are withheld; null otherwise. */
  readonly estimate: number | null;
  /** Those that documents have, by how many have them, then by id. */
  readonly buckets: readonly (TreeBucket | null)[] | null;
  /** The documents under the term above by none of these. */
  readonly other: TreeCount | null;
}

/** A term, and the documents that have it or a term under it. */
export interface TreeBucket {
  /** The id of the term. */
  readonly key: string | null;
  /** Its label; its id if it has none. */
  readonly label: string | null;
  /** How many documents there are; in a network, how many at least. */
  readonly doc_count: number | null;
  /** How many there are at most; null when it is not known. */
  readonly upper_bound: number | null;
  /** Whether both are equal. */
  readonly exact: boolean | null;
  /** Whether there is any; null when it is not known. */
  readonly exists: boolean | null;
  /** About how many there are where they are withheld; null otherwise. */
  readonly estimate: number | null;
  /** How many have the very term; in a network, how many at least. */
  readonly own_count: number | null;
  /** Whether terms stand under it in the hierarchy. */
  readonly has_children: boolean | null;
}

/** A number of documents. */
export interface TreeCount {
  /** How many documents there are; in a network, how many at least. */
  readonly doc_count: number | null;
  /** How many there are at most; null when it is not known. */
  readonly upper_bound: number | null;
  /** Whether both are equal. */
  readonly exact: boolean | null;
  /** Whether there is any; null when it is not known. */
  readonly exists: boolean | null;
  /** About how many there are where they are withheld; null otherwise. */
  readonly estimate: number | null;
}

/** How one node contributed to a facet. */
export interface FacetCoverage {
  /** The id of the node. */
  readonly nodeId: string | null;
  /** answered, notCovered, failed or excluded. */
  readonly state: string | null;
  /** How many of its documents match; null when it is not known. */
  readonly docs: number | null;
  /** Why it could not compute this facet; null for other states. */
  readonly reason: string | null;
}

/** The numbers or dates of a field, summarised. */
export interface NumericAggregations {
  /** Count, smallest, largest, average and sum. */
  readonly stats: Stats | null;
  /** Values by intervals of equal width, empty ones between the first and the last included. */
  readonly histogram: Aggregations | null;
  /** Dates by the intervals of a calendar, empty ones between the first and the last included. Keys are the starts in milliseconds since 1970, key_as_string gives them in the time zone. */
  readonly date_histogram: Aggregations | null;
  /** Values by ranges of your own. */
  readonly range: Aggregations | null;
  /** How many distinct values there are, `__missing__` not counted, those of several nodes counted once: an estimate unless cardinality_bounds is exact. null when some node of a network can only be counted by itself. */
  readonly cardinality: number | null;
  /** Bounds on the number of distinct values. */
  readonly cardinality_bounds: CardinalityBounds | null;
  /** Percentiles of numbers, not of dates, in the order requested. They are read from counts of documents: one with several values counts once for all of them that lie within 2 % of each other. Values that fill more than 30 powers of ten are known less exactly: `lower` and `upper` say how exactly. */
  readonly percentiles: readonly Percentile[] | null;
  /** What percentiles of several nodes are made of: `{gamma, zero, positive, negative}`. `positive` lists [i, count] for values from gamma^i up to, not including, gamma^(i+1); `negative` for -gamma^(i+1) up to -gamma^i; `zero` counts 0. Documents are counted, once in a bucket. Of numbers, not of dates. */
  readonly log_counts: unknown;
  /** What the number of distinct values of several nodes is made of: `{v, hash, N, n, levels}`. n keys, 64-bit hashes of those values whose hash falls into part 0 of N, grouped by its trailing zero bits; of 1 part, all values. null for dates, fractions and other values that nodes cannot hash alike. */
  readonly distinct_sample: unknown;
  /** How many documents have any value of each of some sets; a document counts once in each. */
  readonly groups: Aggregations | null;
  /** A level of the field's hierarchy. Without `under`, the first level that branches. A document counts once for each term, so the counts do not add up. */
  readonly tree: Tree | null;
  /** The event table of the documents that match, with the field as the time under observation: numbers, one for each document, at most 10000 distinct ones. Conditions on the field itself always apply. */
  readonly survival: Survival | null;
  /** Which nodes these numbers come from. */
  readonly coverage: readonly (FacetCoverage | null)[] | null;
}

/** Statistics over values, not documents. Dates are in milliseconds since 1970. */
export interface Stats {
  /** The largest value, a whole one beyond 2^53 as its digits; null when there is none. */
  readonly max: number | null;
  /** The smallest value, a whole one beyond 2^53 as its digits; null when there is none. */
  readonly min: number | null;
  /** How many values there are. */
  readonly count: number | null;
  /** The sum divided by the count; null when there is no value. */
  readonly avg: number | null;
  /** The sum of all values; 0 when there is none. */
  readonly sum: number | null;
}

/** The least value that a percentage of all values are no greater than, known within 1 %. */
export interface Percentile {
  /** The percentage, as requested. */
  readonly percent: number | null;
  /** The value, at most 1 % off; null when there is none, or only bounds are disclosed. */
  readonly value: number | null;
  /** The true value is no less than this; null when that is not known. */
  readonly lower: number | null;
  /** The true value is no greater than this; null when that is not known. */
  readonly upper: number | null;
}

/** An event table: what survival curves and log-rank tests are computed from. */
export interface Survival {
  /** Each distinct time from 0 on at which something happened, ascending. */
  readonly times: readonly SurvivalTime[] | null;
  /** How many documents are left out because they have no time. */
  readonly no_time: number | null;
  /** How many documents are left out because their time is below 0. */
  readonly negative_time: number | null;
  /** How many documents are left out because `known` does not match them. */
  readonly no_event: number | null;
}

/** What happened at one time. */
export interface SurvivalTime {
  /** The time, in the unit of the field. */
  readonly time: number | null;
  /** How many documents had the event then. */
  readonly events: number | null;
  /** How many documents were last seen then and had not had the event. */
  readonly censored: number | null;
}

/** The configuration of a catalogue for its portal. */
export interface ConfigsWithState {
  /** The charts of the portal: charts.json. */
  readonly charts: unknown;
  /** The limits of downloads. */
  readonly downloads: DownloadsConfig | null;
  /** What is known about each field: display name, type, unit, values and more. */
  readonly extended: unknown;
  /** What the answers are, where they are not of records: the tier, the threshold, what is counted and the day of the release; null otherwise. */
  readonly disclosure: unknown;
  /** By what the released counts are: each field, with the `edges` between which its numbers or dates (in epoch ms) are counted; null where the answers are of records. */
  readonly dimensions: unknown;
  /** Which facets are shown, and how. */
  readonly facets: FacetsConfig | null;
  /** The searches for lists of identifiers. */
  readonly matchbox: readonly (MatchBoxMapping | null)[] | null;
  /** What survival curves are drawn from: `{time, event, dead}`, two fields and the values of the second that are the event; null where nothing is configured. */
  readonly survival: unknown;
  /** Which columns are shown, and how. */
  readonly table: TableConfig | null;
}

/** The limits of downloads: downloads.json. */
export interface DownloadsConfig {
  /** Whether a request may say how many rows it wants. */
  readonly allowCustomMaxRows: boolean | null;
  /** The most rows of a file; null without a limit. */
  readonly maxRows: number | null;
}

/** The facets of the portal: facets.json. */
export interface FacetsConfig {
  /** In the order they are shown. */
  readonly aggregations: readonly (AggregationMapping | null)[] | null;
}

/** A facet of the portal. */
export interface AggregationMapping {
  /** Its display name. */
  readonly displayName: string | null;
  /** How it is shown; the mapped type unless configured. */
  readonly displayType: string | null;
  /** The field it counts, as facets.json writes it. */
  readonly fieldName: string | null;
  /** Whether it is open at first. */
  readonly isActive: boolean | null;
  /** Whether it is shown. */
  readonly show: boolean | null;
  /** The old name of displayType. */
  readonly type: string | null;
}

/** A search for lists of identifiers: matchbox.json. */
export interface MatchBoxMapping {
  /** Its display name. */
  readonly displayName: string | null;
  /** The objects that are found. */
  readonly fieldName: string | null;
  /** Whether it is offered. */
  readonly isActive: boolean | null;
  /** The field that identifies what is found. */
  readonly keyFieldName: string | null;
  /** The fields that are searched. */
  readonly searchFieldNames: readonly (string | null)[] | null;
}

/** The table of the portal: table.json. */
export interface TableConfig {
  /** In the order they are shown. */
  readonly columns: readonly (ColumnMapping | null)[] | null;
  /** How the table is sorted at first. */
  readonly defaultSorting: readonly (ColumnSorting | null)[] | null;
  /** The most rows that `first` and `offset` reach. */
  readonly maxResultsWindow: number | null;
  /** The field that identifies a row. */
  readonly rowIdFieldName: string | null;
}

/** A column of the table. A download takes it as it is. */
export interface ColumnMapping {
  /** Where the value is in a row; the dotted path unless configured. */
  readonly accessor: string | null;
  /** Whether users may show and hide it. */
  readonly canChangeShow: boolean | null;
  /** Unicode date tokens such as yyyy-MM-dd. */
  readonly displayFormat: string | null;
  /** Its heading. */
  readonly displayName: string | null;
  /** How it is shown; the mapped type unless configured. */
  readonly displayType: string | null;
  /** What values are shown as, by the value as text. */
  readonly displayValues: unknown;
  /** The dotted path of its field. */
  readonly fieldName: string | null;
  /** A name of its own, for columns that share a field. */
  readonly id: string | null;
  /** Whether the field holds lists. */
  readonly isArray: boolean | null;
  /** Where its values stand below `node`. */
  readonly jsonPath: string | null;
  /** What to select of it inside `node { }`. */
  readonly query: string | null;
  /** Whether it is shown at first. */
  readonly show: boolean | null;
  /** Whether users may sort by it. */
  readonly sortable: boolean | null;
  /** The old name of displayType. */
  readonly type: string | null;
}

/** A column that the table is sorted by at first. */
export interface ColumnSorting {
  /** The dotted path of the column. */
  readonly fieldName: string | null;
  /** Whether the largest value comes first. */
  readonly desc: boolean | null;
}
