import { z } from 'zod';
import { key } from '../introspection/sections/key.ts';
import type { TracingConfig } from '../runtime/tracing.ts';

/** Headers as in OTEL_EXPORTER_OTLP_HEADERS: percent-encoded. */
const headerList = z.string().transform((text, context): Readonly<Record<string, string>> => {
  const [first] = text.split(',').filter((part) => !/^\s*[\w!#$%&'*+.^`|~-]+\s*=/.test(part));
  if (first === undefined)
    return Object.fromEntries(
      text.split(',').map((part) => {
        const [name = '', ...value] = part.split('=');
        return [name.trim(), decoded(value.join('=').trim())];
      }),
    );
  context.addIssue({ code: 'custom', message: 'name=value expected, separated by commas' });
  return z.NEVER;
});

const decoded = (value: string): string =>
  /%(?![0-9a-f]{2})/i.test(value) ? value : decodeURIComponent(value);

/** The variables of OpenTelemetry that this server reads. */
export const tracingVariables = {
  OTEL_EXPORTER_OTLP_ENDPOINT: key(
    z.url({ protocol: /^https?$/, error: 'an http or https URL expected' }).optional(),
    'The collector that [traces](operations.md#traces) are sent to, as OTLP in JSON to `/v1/traces` below it; without it there are none.',
    { form: 'http or https URL' },
  ),
  OTEL_EXPORTER_OTLP_HEADERS: key(
    headerList.optional(),
    'Headers for the collector, such as its credential: `name=value`, separated by commas.',
    { form: '`name=value`, separated by commas' },
  ),
  OTEL_SERVICE_NAME: key(z.string().min(1).default('tributary'), 'What this server is called in traces.'),
  OTEL_TRACES_SAMPLER_ARG: key(
    z.coerce.number().min(0).max(1).default(1),
    'Which part of the traces is recorded, from 0 to 1.',
    { form: 'number of 0 to 1' },
  ),
};

/** Where traces are sent; null: tracing is off. */
export const tracingOf = ({
  OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
  OTEL_EXPORTER_OTLP_HEADERS: headers,
  OTEL_SERVICE_NAME: serviceName,
  OTEL_TRACES_SAMPLER_ARG: ratio,
}: z.output<z.ZodObject<typeof tracingVariables>>): TracingConfig | null =>
  endpoint === undefined ? null : { endpoint, headers, serviceName, ratio };
