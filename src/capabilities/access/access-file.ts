import { z } from 'zod';
import { tiers, type Tier } from '../../introspection/fields/catalogue-config.ts';
import { key } from '../../introspection/sections/key.ts';

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
  issuer: key(
    z.string({ error: 'the issuer (iss) expected' }).min(1),
    'The issuer, as tokens have it in `iss`.',
  ),
  jwksUrl: key(
    z.url({ protocol: /^https?$/, error: 'an http or https URL expected' }),
    'Where its keys are published (use https).',
  ),
});

/** Who may assert grants, in the terms of Passport 1.2. */
const asserters = ['dac', 'system', 'so', 'peer', 'self'] as const;

const visas = z.strictObject({
  issuers: key(
    z.array(issuer, { error: 'a list of {issuer, jwksUrl} expected' }).min(1),
    'The issuers whose visas count, each verified by its own keys.',
  ),
  by: key(
    z
      .array(z.enum(asserters, { error: 'one of "dac", "system", "so", "peer" and "self" expected' }))
      .min(1)
      .default(['dac', 'system', 'so']),
    'By whom grants must have been asserted.',
  ),
});

const token = z.strictObject({
  algorithms: key(
    z.array(algorithm, { error: 'a list of signature algorithms expected' }).min(1),
    'The signature algorithms that are accepted.',
  ),
  issuer: key(names.optional(), 'The issuer a token must have; of several, any one.', {
    form: 'text or list of texts',
  }),
  audience: key(names.optional(), 'The audience a token must be for; of several, any one.', {
    form: 'text or list of texts',
  }),
  issuers: key(
    z
      .array(
        issuer.extend({
          audience: key(names.optional(), 'The audience of its tokens, if not `token.audience`.', {
            form: 'text or list of texts',
          }),
          userinfoUrl: key(
            z.url({ protocol: /^https?$/, error: 'an http or https URL expected' }).optional(),
            'Where the passport of a caller is fetched whose token has none.',
          ),
        }),
        { error: 'a list of {issuer, jwksUrl} expected' },
      )
      .min(1)
      .optional(),
    'Issuers with keys of their own, beside or in place of `JWKS_URL`.',
  ),
  clockToleranceSeconds: key(z.int().min(0).max(300).default(30), 'How far clocks may differ, in seconds.'),
});

const condition = z.strictObject({
  claim: key(
    z.string({ error: 'the name of a claim expected' }).min(1),
    'The claim to check: by its name, otherwise by its dotted path.',
  ),
  includes: key(
    z.union([scalar, z.array(scalar).min(1)], { error: 'a value or a list of values expected' }).optional(),
    'What the claim must contain; of several values, any one. Without it, the claim only has to be present.',
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
  'What they may learn about it ([disclosure.md](disclosure.md)). Without it, as in disclosure.json of the catalogue; without that file, `records`.',
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
    'Whom the rule applies to: all conditions must hold. Without it, everyone with a valid token.',
    { form: 'condition or list of conditions' },
  ),
  hub: key(
    z.string().min(1).optional(),
    'For callers of one hub that this server has joined, by its name in hubs.json: known by its key, never by a claim. With `when`, both must hold; without it, they need no token.',
  ),
  filter: key(filter, 'What they may see; may contain claim values.', { form: filterForm }),
  disclosure: tier,
});

const catalogue = z.strictObject({
  public: key(publicAccess.optional(), 'What callers without a token may see.', {
    form: `${filterForm}, or \`{filter, disclosure}\``,
  }),
  rules: key(
    z.array(rule, { error: 'a list of rules {when?, filter} expected' }).default([]),
    'What callers with a token may see: everything that any matching rule allows.',
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
    'Which callers with a token may use it: those to whom any rule applies.',
  ),
});

/** The shape of the access file. Unknown keys are refused: a misspelt one would drop a rule. */
export const accessFile = z.strictObject({
  token: key(token, 'Which tokens are valid.'),
  visas: key(
    visas.optional(),
    'Which visas of GA4GH passports count, as the claim `visa.ControlledAccessGrants`.',
  ),
  catalogues: key(
    z.record(z.string(), catalogue, { error: 'an object with a key for each catalogue expected' }),
    'Catalogue id, or `*` for those not listed -> who may see what in it; a catalogue with neither is closed.',
  ),
  network: key(network.optional(), 'Who may use networks. Without it, nobody.'),
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
