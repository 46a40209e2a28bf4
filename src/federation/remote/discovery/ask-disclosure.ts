import { parse } from 'graphql';
import { z } from 'zod';
import { asTributaryError } from '../../../errors/errors.ts';
import type { DocumentExecutor } from '../document-executor.ts';
import type { GraphqlAnswer } from '../graphql-over-http.ts';
import { releasedStatement, withheldStatement } from '../node-statements.ts';
import type { RemoteCatalogue } from './discovered-fields.ts';

/** Whom to ask, and how. */
interface Asked {
  readonly documentType: string;
  readonly execute: DocumentExecutor;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

type Disclosure = Pick<RemoteCatalogue, 'withheld' | 'released'>;

/** Of a node that shows records, or does not say. */
export const openRecords: Disclosure = { withheld: null, released: null };

/** What a node says about answers with intervals, and the dimensions of its release, which older nodes do not report. */
export const askDisclosure = async (asked: Asked): Promise<Disclosure> => {
  const withheld = await askConfig(asked, 'disclosure', withheldStatement);
  if (withheld === null) return openRecords;
  return { withheld, released: await askConfig(asked, 'dimensions', releasedStatement) };
};

const askConfig = async <Form extends z.ZodType>(
  { documentType, execute, headers, signal }: Asked,
  name: string,
  form: Form,
): Promise<z.output<Form> | null> => {
  const document = parse(`{ ${documentType} { configs { ${name} } } }`);
  const { data } = await execute({ document, headers, signal }).catch(noAnswerUnlessDown);
  const parsed = z
    .object({ [documentType]: z.object({ configs: z.object({ [name]: form }) }) })
    .safeParse(data);
  return parsed.success ? (parsed.data[documentType]!.configs[name] as z.output<Form>) : null;
};

/** A node that refuses only this query is up; one that became unreachable is not. */
export const noAnswerUnlessDown = (error: unknown): GraphqlAnswer => {
  const { code } = asTributaryError(error);
  if (code === 'NODE_REFUSED' || code === 'NODE_BAD_RESPONSE') return {};
  throw error;
};
