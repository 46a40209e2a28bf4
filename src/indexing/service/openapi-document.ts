import type { z } from 'zod';
import type { JsonObject } from '../../lib/json/json.ts';
import { answerSchemas, shownSchema, type AnswerName } from './answer-schemas.ts';
import { bodySchema, queryParameters, nameSchema } from './request-checks.ts';

const description = `Fills the search indexes from repositories of records, and takes records out of them.

Every operation under \`/index\` is only accepted: it is a job, which resumes after a crash of the service, and \`/jobs\` reports its result. A record that the repository does not have, and a repository that does not answer, are reported by the job too.`;

/**
 * The OpenAPI 3.1 document of the service: every operation, parameter and response status.
 * @param options requiresToken whether a bearer token is needed
 */
export const openApiDocument = ({ requiresToken }: { readonly requiresToken: boolean }): JsonObject => ({
  openapi: '3.1.0',
  info: { title: 'Indexing service', version: '1.0.0', description, license: { name: 'Apache-2.0' } },
  // relative to the document, so that it also works behind a proxy with a path prefix
  servers: [{ url: '..', description: 'The service that serves this document' }],
  tags: [
    { name: 'index', description: 'What is in the indexes' },
    { name: 'jobs', description: 'The state and outcome of accepted requests' },
    { name: 'service', description: 'The service itself' },
  ],
  ...(requiresToken ? { security: [{ token: [] }] } : {}),
  paths: {
    ...indexPaths(requiresToken),
    ...jobPaths(requiresToken),
    ...servicePaths(requiresToken),
  },
  components: {
    schemas: answerSchemas(),
    ...(requiresToken
      ? {
          securitySchemes: { token: { type: 'http', scheme: 'bearer', description: 'INDEXING_TOKEN' } },
        }
      : {}),
  },
});

const indexPaths = (requiresToken: boolean): JsonObject => {
  const operation = (operationId: string, summary: string, more: string, parameters: JsonObject[] = []) => ({
    operationId,
    summary,
    description: more,
    tags: ['index'],
    ...(parameters.length === 0 ? {} : { parameters }),
    requestBody: emptyBody,
    responses: { 202: accepted, ...refusals(requiresToken, ['404', '413', '415']) },
  });
  const [repository, organization, id] = [
    pathParameter('repositoryCode', 'The code of a configured repository, in any case'),
    pathParameter('organization', 'An organization; a study in a study-based repository'),
    pathParameter('id', 'The id of a record; of an analysis in a study-based repository'),
  ];
  const path = '/index/repository/{repositoryCode}';
  return {
    [path]: {
      parameters: [repository],
      post: operation(
        'indexRepository',
        'Index all records of a repository, across every organization',
        'What the repository no longer has is removed, once everything it has was fetched.',
        shownParameters(queryParameters.indexRepository),
      ),
    },
    [`${path}/organization/{organization}`]: {
      parameters: [repository, organization],
      post: operation(
        'indexOrganization',
        'Index all records of one organization',
        'What the organization no longer has is removed, once everything it has was fetched.',
      ),
    },
    [`${path}/organization/{organization}/id/{id}`]: {
      parameters: [repository, organization, id],
      post: operation('indexRecord', 'Index one record', 'The record is fetched again from its repository.'),
      delete: operation(
        'removeRecord',
        'Remove one record from the index',
        'From the index only: the repository is not contacted. Removing what is not there succeeds.',
      ),
    },
  };
};

const jobPaths = (requiresToken: boolean): JsonObject => ({
  '/jobs': {
    get: {
      operationId: 'listJobs',
      summary: 'The jobs, newest first',
      tags: ['jobs'],
      parameters: shownParameters(queryParameters.listJobs),
      responses: { 200: json('The jobs', 'JobList'), ...refusals(requiresToken, []) },
    },
  },
  '/jobs/{jobId}': {
    parameters: [pathParameter('jobId', 'The id in the answer to the accepted request')],
    get: {
      operationId: 'getJob',
      summary: 'One job: its state, counts, and the first records that failed',
      tags: ['jobs'],
      responses: { 200: json('The job', 'Job'), ...refusals(requiresToken, ['404']) },
    },
    delete: {
      operationId: 'cancelJob',
      summary: 'Cancel a job',
      description:
        'What it has written is kept, and the job stays listed. A job that has ended is not changed.',
      tags: ['jobs'],
      requestBody: emptyBody,
      responses: {
        200: json('The job, which had already ended', 'Job'),
        202: json('The job, which is being stopped', 'Job'),
        ...refusals(requiresToken, ['404', '413', '415']),
      },
    },
  },
});

const servicePaths = (requiresToken: boolean): JsonObject => ({
  '/health': {
    get: {
      operationId: 'getHealth',
      summary: 'Whether jobs can be taken and done',
      description: 'Asks the search engine, the job store and every repository.',
      tags: ['service'],
      // with the token, the response includes the checks
      ...(requiresToken ? { security: [{}, { token: [] }] } : {}),
      responses: {
        ...refusals(false, []),
        200: json('All checks passed', 'Health'),
        503: json('A check failed', 'Health'),
      },
    },
  },
  '/api-docs': {
    get: {
      operationId: 'getReference',
      summary: 'This description as a page',
      tags: ['service'],
      security: [],
      responses: {
        ...documentRefusals,
        200: { description: 'The page', content: { 'text/html': { schema: { type: 'string' } } } },
      },
    },
  },
  '/api-docs/openapi.json': {
    get: {
      operationId: 'getDescription',
      summary: 'This description',
      tags: ['service'],
      security: [],
      responses: { ...documentRefusals, 200: json('An OpenAPI 3.1 document', 'Description') },
    },
  },
});

const pathParameter = (name: string, text: string): JsonObject => ({
  name,
  in: 'path',
  required: true,
  description: text,
  schema: shownSchema(nameSchema),
});

const shownParameters = ({ shape }: z.ZodObject): JsonObject[] =>
  Object.entries(shape).map(([name, schema]) => ({
    name,
    in: 'query',
    description: (schema as z.ZodType).description ?? name,
    schema: shownSchema(schema as z.ZodType),
  }));

const emptyBody: JsonObject = {
  description: bodySchema.description!,
  required: false,
  content: { 'application/json': { schema: shownSchema(bodySchema) } },
};

const json = (text: string, schema: AnswerName): JsonObject => ({
  description: text,
  content: { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } },
});

const jobLinks: JsonObject = {
  job: { operationId: 'getJob', parameters: { jobId: '$response.body#/jobId' } },
  cancel: { operationId: 'cancelJob', parameters: { jobId: '$response.body#/jobId' } },
};

const accepted: JsonObject = {
  ...json('Accepted: the job is stored', 'Accepted'),
  headers: {
    Location: { description: 'Where the job can be queried', required: true, schema: { type: 'string' } },
  },
  links: jobLinks,
};

const refusalTexts = {
  400: 'The request is malformed: its path, its query parameters, its body or its HTTP',
  401: 'The token is missing or wrong',
  403: 'The request comes from a page of another site, or asks for a host that is not this one',
  404: 'There is no such repository or job',
  413: 'The body is too large',
  415: 'The body is of another type than application/json',
  431: 'The headers are too large',
  500: 'A defect of this service',
  503: 'The job store cannot be written, too many jobs are waiting, or the service stops',
} as const;

type Refusal = keyof typeof refusalTexts;

/** The error responses common to all operations, and those of this one. */
const refusals = (requiresToken: boolean, own: readonly `${Refusal}`[]): JsonObject =>
  refusalsOf(['400', ...(requiresToken ? (['401'] as const) : []), '403', ...own, '431', '500', '503']);

const refusalsOf = (statuses: readonly `${Refusal}`[]): JsonObject =>
  Object.fromEntries(
    statuses.map((status) => [
      status,
      {
        ...json(refusalTexts[status], 'Refusal'),
        ...(status === '401' ? { headers: { 'WWW-Authenticate': { schema: { type: 'string' } } } } : {}),
      },
    ]),
  );

const documentRefusals = refusalsOf(['400', '431', '500']);
