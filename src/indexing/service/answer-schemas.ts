import { z } from 'zod';
import type { JsonObject } from '../../lib/json/json.ts';
import { jobSchema, jobSchemas } from '../jobs/job.ts';

const schemas = z.registry<{ readonly id: string }>();

/** A schema that the OpenAPI document lists by name. */
const named = <Schema extends z.ZodType>(id: string, schema: Schema): Schema => {
  schemas.add(schema, { id });
  return schema;
};

for (const [id, schema] of Object.entries(jobSchemas)) named(id, schema);

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
  Job: named('Job', jobSchema),
  JobList: named('JobList', z.strictObject({ jobs: z.array(jobSchema) })),
  Health: named(
    'Health',
    z.strictObject({
      status: z.enum(['healthy', 'unhealthy']),
      checks: z.array(jobSchemas.HealthCheck).optional().describe('Only for callers with the token'),
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
