import { z } from 'zod';
import { tiers, type Tier } from '../../introspection/fields/catalogue-config.ts';
import { key } from '../../introspection/fields/key.ts';

/** Asymmetric signatures only: every holder of a shared secret could sign, and `none` is unsigned. */
const algorithm = z.enum(
  ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
  { error: 'an algorithm with a public key expected: RS, PS or ES with 256, 384 or 512, EdDSA or Ed25519' },
);

const scalar = z.union([z.string(), z.number(), z.boolean()], {
  error: 'a string, number or boolean expected',
});
const names = z.union([z.string().min(1), z.array(z.string().min(1)).min(1)], {
  error: 'a string or a list of strings expected',
});

const issuer = z.strictObject({
  issuer: key(z.string({ error: 'the issuer (iss) expected' }).min(1), 'Its `iss`.'),
  jwksUrl: key(
    z.url({ protocol: /^https?$/, error: 'an http or https URL expected' }),
    'Its keys (use https).',
  ),
});

/** Who may assert grants, in the terms of Passport 1.2. */
const asserters = ['dac', 'system', 'so', 'peer', 'self'] as const;

const visas = z.strictObject({
  issuers: key(
    z.array(issuer, { error: 'a list of {issuer, jwksUrl} expected' }).min(1),
    'The issuers whose visas count.',
  ),
  by: key(
    z
      .array(z.enum(asserters, { error: 'one of "dac", "system", "so", "peer" and "self" expected' }))
      .min(1)
      .default(['dac', 'system', 'so']),
    'Who must have asserted a grant.',
  ),
});

const token = z.strictObject({
  algorithms: key(
    z.array(algorithm, { error: 'a list of signature algorithms expected' }).min(1),
    'The signature algorithms accepted.',
    { form: 'list of `RS256`, `ES256`, `EdDSA` and the like' },
  ),
  issuer: key(names.optional(), 'Their issuer, or several.', {
    form: 'text or list of texts',
  }),
  audience: key(names.optional(), 'Their audience, or several.', {
    form: 'text or list of texts',
  }),
  issuers: key(
    z
      .array(
        issuer.extend({
          audience: key(names.optional(), 'In place of `token.audience`.', {
            form: 'text or list of texts',
          }),
          userinfoUrl: key(
            z.url({ protocol: /^https?$/, error: 'an http or https URL expected' }).optional(),
            'Where passports are fetched.',
          ),
        }),
        { error: 'a list of {issuer, jwksUrl} expected' },
      )
      .min(1)
      .optional(),
    'Issuers with their keys, beside or instead of `JWKS_URL`.',
  ),
  clockToleranceSeconds: key(z.int().min(0).max(300).default(30), 'Seconds that clocks may differ.'),
});

const condition = z.strictObject({
  claim: key(
    z.string({ error: 'the name of a claim expected' }).min(1),
    'The claim, by name or dotted path.',
  ),
  includes: key(
    z.union([scalar, z.array(scalar).min(1)], { error: 'a value or a list of values expected' }).optional(),
    'What it must contain, or any one of several; without it, the claim must be there.',
    { form: 'value or list of values' },
  ),
});

const filter = z.union([z.literal('everything'), z.record(z.string(), z.unknown())], {
  error: 'a filter {op, content} or "everything" expected',
});
const filterForm = '`"everything"` or a filter `{op, content}`';

const tier = key(
  z
    .enum(tiers, {
      error: 'one of "none", "boolean", "counts" and "records" expected',
    })
    .optional(),
  'Their [tier](disclosure.md).',
);

/** A filter has no key `filter`. */
const plainFilter = filter.refine((value) => value === 'everything' || !Object.hasOwn(value, 'filter'));

const publicAccess = z.union(
  [
    z.strictObject({ filter: key(filter, 'What they may see.', { form: filterForm }), disclosure: tier }),
    plainFilter,
  ],
  { error: 'a filter {op, content}, {filter, disclosure} or "everything" expected' },
);

const rule = z.strictObject({
  when: key(
    z
      .union([condition, z.array(condition).min(1)], {
        error: '{claim, includes?} or a list of these expected',
      })
      .optional(),
    'All conditions must hold. Without it, every valid token matches.',
    { form: 'condition or list of conditions' },
  ),
  hub: key(z.string().min(1).optional(), 'For callers of this hub; without `when`, they need no token.'),
  filter: key(filter, 'What they may see; it may contain claim values.', { form: filterForm }),
  disclosure: tier,
});

const catalogue = z.strictObject({
  public: key(publicAccess.optional(), 'What callers without a token may see.', {
    form: `${filterForm}, or \`{filter, disclosure}\``,
  }),
  rules: key(
    z.array(rule, { error: 'a list of rules {when?, filter} expected' }).default([]),
    'What callers with a token may see, by any matching rule.',
  ),
});

const everything = z.literal('everything', {
  error: 'only "everything" fits a network: what callers see of its nodes is configured at their catalogues',
});
const everythingForm = '`"everything"`';

const network = z.strictObject({
  public: key(everything.optional(), 'Callers without a token may use it.', { form: everythingForm }),
  rules: key(
    z
      .array(
        rule
          .omit({ hub: true })
          .extend({ filter: key(everything, 'They may use it.', { form: everythingForm }) }),
        {
          error: 'a list of rules {when?, filter} expected',
        },
      )
      .default([]),
    'Which callers with a token may use it; `filter` is `"everything"`.',
    { form: 'rules as in `catalogues.<name>.rules`', isDescribedElsewhere: true },
  ),
});

/** The shape of the access file. Unknown keys are refused: a misspelt one would drop a rule. */
export const accessFile = z.strictObject({
  token: key(token, 'Which tokens are valid.'),
  visas: key(visas.optional(), 'Which visas of GA4GH passports count.'),
  catalogues: key(
    z.record(z.string(), catalogue, { error: 'an object with a key for each catalogue expected' }),
    'Catalogue, or `*` for the others -> who may see what; a catalogue with neither is closed.',
  ),
  network: key(network.optional(), 'Who may use networks; without it, nobody.'),
});

export type AccessFile = z.output<typeof accessFile>;
export type TokenRules = AccessFile['token'];
export type VisaRules = NonNullable<AccessFile['visas']>;
export type Condition = z.output<typeof condition>;
export type AccessRule = z.output<typeof rule>;
export type RuleFilter = z.output<typeof filter>;
export type PublicAccess = NonNullable<AccessFile['catalogues'][string]['public']>;

/** `public` is a filter, or an object with a filter and its tier: a filter has no key `filter`. */
export const publicParts = (
  open: PublicAccess,
): { readonly filter: RuleFilter; readonly disclosure?: Tier | undefined } =>
  typeof open === 'object' && Object.hasOwn(open, 'filter')
    ? (open as { readonly filter: RuleFilter; readonly disclosure?: Tier })
    : { filter: open as RuleFilter };
