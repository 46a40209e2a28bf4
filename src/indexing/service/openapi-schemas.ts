import type { JsonObject } from '../../json.ts';
import { jobStates } from './job-routes.ts';
import { mostNameCharacters } from './readable-address.ts';

/**
 * A repository's code, an organization or a record's id, as it stands in a path. That `.` and `..` are refused is not
 * said: they do not get here from clients that make paths proper, and pages show `not` badly.
 */
export const nameSchema: JsonObject = {
  type: 'string',
  minLength: 1,
  maxLength: mostNameCharacters,
};

export const jobIdSchema: JsonObject = nameSchema;

const text = { type: 'string' } as const;
const count = { type: 'integer', minimum: 0 } as const;
const time = { type: 'string', format: 'date-time' } as const;
const timeOrNull = { type: ['string', 'null'], format: 'date-time' } as const;

/** An object whose members are all there, and no others. */
const exactly = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
  ...more,
});

const list = (schema: string): JsonObject => ({
  type: 'array',
  items: { $ref: `#/components/schemas/${schema}` },
});

const jobCounts = exactly({
  fetched: { ...count, description: 'Records that came from the repository' },
  indexed: { ...count, description: 'Documents written' },
  removed: { ...count, description: 'Documents removed' },
  skipped: { ...count, description: 'Records that shall not be indexed: unpublished, invalid, excluded' },
  failed: { ...count, description: 'Records that could not be indexed' },
});

const failedRecord = exactly({ recordId: text, reason: text });

const job = exactly({
  jobId: text,
  request: { $ref: '#/components/schemas/JobRequest' },
  indexName: text,
  state: { type: 'string', enum: jobStates },
  counts: { $ref: '#/components/schemas/JobCounts' },
  errors: { ...list('FailedRecord'), description: 'The first of them; counts.failed has the number of all' },
  error: {
    oneOf: [{ type: 'null' }, { $ref: '#/components/schemas/JobError' }],
    description: 'Why the job as a whole failed',
  },
  createdAt: time,
  startedAt: timeOrNull,
  finishedAt: timeOrNull,
  attempts: { ...count, description: 'Above 1: it was taken up again after a crash' },
});

const jobRequest: JsonObject = {
  oneOf: [
    exactly({
      kind: { const: 'index' },
      repositoryCode: text,
      organization: { type: ['string', 'null'], description: 'null: every organization' },
      rebuild: { type: 'boolean' },
    }),
    exactly({
      kind: { type: 'string', enum: ['indexRecord', 'removeRecord'] },
      repositoryCode: text,
      organization: text,
      recordId: text,
    }),
  ],
};

const health: JsonObject = {
  type: 'object',
  properties: {
    status: { type: 'string', enum: ['healthy', 'unhealthy'] },
    checks: { ...list('HealthCheck'), description: 'Only for those who have the token' },
  },
  required: ['status'],
  additionalProperties: false,
};

/** The schemas of all answers, by name. */
export const answerSchemas: JsonObject = {
  Accepted: exactly({
    successful: { const: true },
    indexName: { ...text, description: 'The index or alias that is written to' },
    jobId: text,
  }),
  Refusal: exactly({
    successful: { const: false },
    message: { ...text, description: 'What was wrong, where, and what would be right' },
  }),
  JobList: exactly({ jobs: list('Job') }),
  Job: job,
  JobRequest: jobRequest,
  JobCounts: jobCounts,
  FailedRecord: failedRecord,
  JobError: exactly({ code: text, message: text }),
  Health: health,
  HealthCheck: exactly({
    name: { ...text, description: 'engine, jobs or repository:CODE' },
    ok: { type: 'boolean' },
    message: text,
  }),
  Description: {
    type: 'object',
    properties: { openapi: text, info: { type: 'object' }, paths: { type: 'object' } },
    required: ['openapi', 'info', 'paths'],
  },
};
