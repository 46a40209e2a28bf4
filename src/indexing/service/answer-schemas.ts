import { z } from 'zod';
import type { JsonObject } from '../../lib/json/json.ts';
import { jobStates } from '../jobs/job.ts';

const schemas = z.registry<{ readonly id: string }>();

/** A schema that the OpenAPI document lists by name. */
const named = <Schema extends z.ZodType>(id: string, schema: Schema): Schema => {
  schemas.add(schema, { id });
  return schema;
};

const count = z.int().nonnegative();
const time = z.iso.datetime();

const jobRequest = named(
  'JobRequest',
  z.union([
    z.strictObject({
      kind: z.literal('index'),
      repositoryCode: z.string(),
      organization: z.string().nullable().describe('null: every organization'),
      rebuild: z.boolean(),
    }),
    z.strictObject({
      kind: z.enum(['indexRecord', 'removeRecord']),
      repositoryCode: z.string(),
      organization: z.string(),
      recordId: z.string(),
    }),
  ]),
);

const jobCounts = named(
  'JobCounts',
  z.strictObject({
    fetched: count.describe('Records that came from the repository'),
    indexed: count.describe('Documents written'),
    removed: count.describe('Documents removed'),
    skipped: count.describe('Records that are not to be indexed: unpublished, invalid, excluded'),
    failed: count.describe('Records that could not be indexed'),
  }),
);

const failedRecord = named('FailedRecord', z.strictObject({ recordId: z.string(), reason: z.string() }));
const jobError = named('JobError', z.strictObject({ code: z.string(), message: z.string() }));

const job = named(
  'Job',
  z.strictObject({
    jobId: z.string(),
    request: jobRequest,
    indexName: z.string(),
    state: z.enum(jobStates),
    counts: jobCounts,
    errors: z.array(failedRecord).describe('The first of them; counts.failed has the number of all'),
    error: jobError.nullable().describe('Why the job as a whole failed'),
    createdAt: time,
    startedAt: time.nullable(),
    finishedAt: time.nullable(),
    attempts: count.describe('Above 1: it was resumed after a crash'),
  }),
);

const healthCheck = named(
  'HealthCheck',
  z.strictObject({
    name: z.string().describe('engine, jobs or repository:CODE'),
    ok: z.boolean(),
    message: z.string(),
  }),
);

/** The response of each operation. The tests validate real responses against them. */
export const answers = {
  Accepted: named(
    'Accepted',
    z.strictObject({
      successful: z.literal(true),
      indexName: z.string().describe('The index or alias that is written to'),
      jobId: z.string(),
    }),
  ),
  Refusal: named(
    'Refusal',
    z.strictObject({
      successful: z.literal(false),
      message: z.string().describe('What was wrong, where, and what would be right'),
    }),
  ),
  Job: job,
  JobList: named('JobList', z.strictObject({ jobs: z.array(job) })),
  Health: named(
    'Health',
    z.strictObject({
      status: z.enum(['healthy', 'unhealthy']),
      checks: z.array(healthCheck).optional().describe('Only for callers with the token'),
    }),
  ),
  Description: named(
    'Description',
    z.looseObject({ openapi: z.string(), info: z.looseObject({}), paths: z.looseObject({}) }),
  ),
} as const;

export type AnswerName = keyof typeof answers;

type Shown = Record<string, unknown>;

/** Adapts a schema for the document: a format needs no pattern, and the dialect is that of OpenAPI. */
const show = ({ jsonSchema }: { readonly jsonSchema: Shown }): void => {
  if (jsonSchema['format'] === 'date-time') delete jsonSchema['pattern'];
  if (jsonSchema['maximum'] === Number.MAX_SAFE_INTEGER) delete jsonSchema['maximum'];
};

/** Keys that the document has in other places: the dialect, the name, the description of a parameter or body. */
const besides = new Set(['$schema', '$id', 'description']);

const plain = (schema: object): JsonObject =>
  Object.fromEntries(Object.entries(schema).filter(([key]) => !besides.has(key)));

/** The JSON Schemas of all responses, by name. */
export const answerSchemas = (): JsonObject => {
  const shown = z.toJSONSchema(schemas, { uri: (id) => `#/components/schemas/${id}`, override: show });
  return Object.fromEntries(Object.entries(shown.schemas).map(([id, schema]) => [id, plain(schema)]));
};

/** The JSON Schema of a parameter or body; the description is separate. */
export const shownSchema = (schema: z.ZodType): JsonObject =>
  plain(z.toJSONSchema(schema, { override: show }));
