import { z } from 'zod';

/** Signatures that a public key checks: with a shared secret every reader of it could sign, and `none` signs nothing. */
const algorithm = z.enum(
  [
    'RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519',
  ],
  { error: 'an algorithm with a public key expected: RS, PS or ES with 256, 384 or 512, EdDSA or Ed25519' },
); // prettier-ignore

const scalar = z.union([z.string(), z.number(), z.boolean()], {
  error: 'a text, number or boolean expected',
});
const names = z.union([z.string().min(1), z.array(z.string().min(1)).min(1)], {
  error: 'a text or a list of texts expected',
});

const token = z.strictObject({
  algorithms: z.array(algorithm, { error: 'a list of signature algorithms expected' }).min(1),
  issuer: names.optional(),
  audience: names.optional(),
  clockToleranceSeconds: z.int().min(0).max(300).default(0),
});

const condition = z.strictObject({
  claim: z.string({ error: 'the name of a claim expected' }).min(1),
  includes: z
    .union([scalar, z.array(scalar).min(1)], { error: 'a value or a list of values expected' })
    .optional(),
});

const filter = z.union([z.literal('everything'), z.record(z.string(), z.unknown())], {
  error: 'a filter {op, content} or "everything" expected',
});

const rule = z.strictObject({
  when: z
    .union([condition, z.array(condition).min(1)], {
      error: '{claim, includes?} or a list of these expected',
    })
    .optional(),
  filter,
});

const catalogue = z.strictObject({
  public: filter.optional(),
  rules: z.array(rule, { error: 'a list of rules {when?, filter} expected' }).default([]),
});

/** The shape of the access file. Unknown keys are refused: a misspelt one would leave out a rule. */
export const accessFile = z.strictObject({
  token,
  catalogues: z.record(z.string(), catalogue, { error: 'an object with a key for each catalogue expected' }),
});

export type AccessFile = z.output<typeof accessFile>;
export type TokenRules = AccessFile['token'];
export type Condition = z.output<typeof condition>;
export type AccessRule = z.output<typeof rule>;
export type RuleFilter = z.output<typeof filter>;
