/** The rule `json-schema`. */
import * as l10n from '@vscode/l10n';
import { dereference, Validator, type Schema, type SchemaDraft } from '@cfworker/json-schema';
import * as z from 'zod';
import { isObject } from '../../shared/experiment/resolve.ts';
import { matchesOf, type Expression } from '../../sandbox/expressions.ts';
import { SandboxError } from '../../sandbox/sandboxError.ts';
import type { ruleSchemas } from '../../shared/adapters/scorer.ts';
import { rounded } from '../../shared/longInteger.ts';
import { answerJson, passed, Unfit, type Rule } from './rule.ts';
import { messageOf } from '../../shared/messageOf.ts';

type Options = Pick<z.infer<(typeof ruleSchemas)['json-schema']>, 'schema'>;

/** The answer follows the schema; formats are checked, too. @throws Unfit when the schema itself cannot be used */
export const jsonSchema: Rule<Options, null> = {
  golden: false,
  readGold(_, { schema }) {
    validatorOf(schema);
    return null;
  },
  judge(answer, _, { schema }) {
    const { validator, expressions } = validatorOf(schema);
    const value = rounded(answerJson(answer));
    tryOut(expressions, value);
    const { valid, errors } = validated(validator, value);
    // The first error is about the surroundings of the fault.
    const last = errors.at(-1);
    return passed(valid, () => `${last?.instanceLocation.slice(1) ?? ''}: ${last?.error ?? ''}`);
  },
};

/** By the schema's text: each evaluation has an object of its own. A run has one schema, or one for each of its tasks. */
const validators = new Map<string, Ready>();
const held = 64;

interface Ready {
  validator: Validator;
  /** Regular expressions that stand anywhere in the schema. */
  expressions: readonly Expression[];
}

function validatorOf(schema: Readonly<Record<string, unknown>>): Ready {
  const text = JSON.stringify(schema);
  const known = validators.get(text);
  if (known !== undefined) return known;
  const fault = schemaFault(schema);
  if (fault !== null) throw new Unfit(l10n.t('the schema cannot be used: {0}', fault));
  const validator = new Validator(copyOf(schema), draftOf(schema));
  const made = { validator, expressions: [...expressionsIn(schema)].map((source) => ({ source, flags: 'u' })) };
  tryOut(made.expressions, '');
  // A schema that refers to itself without end shows it at any value.
  for (const value of [null, '', 0, true, [], {}]) validated(validator, value);
  if (validators.size >= held) validators.clear();
  validators.set(text, made);
  return made;
}

function* expressionsIn(schema: unknown): Generator<string> {
  if (typeof schema !== 'object' || schema === null) return;
  for (const [key, inner] of Object.entries(schema)) {
    if (key === 'pattern' && typeof inner === 'string' && isExpression(inner)) yield inner;
    if (key === 'patternProperties' && isObject(inner)) yield* Object.keys(inner).filter(isExpression);
    yield* expressionsIn(inner);
  }
}

/** The validator matches by itself and cannot be stopped: what it may match is matched under a limit first. */
function tryOut(expressions: readonly Expression[], value: unknown): void {
  if (expressions.length === 0) return;
  try {
    matchesOf(expressions, [...new Set(textsIn(value))]);
  } catch (error) {
    if (SandboxError.is(error)) throw new Unfit(l10n.t('a pattern of the schema cannot be used: {0}', error.message));
    throw error;
  }
}

function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    yield key;
    yield* textsIn(inner);
  }
}

function validated(validator: Validator, value: unknown): ReturnType<Validator['validate']> {
  try {
    return validator.validate(value);
  } catch (error) {
    if (error instanceof RangeError)
      throw new Unfit(l10n.t('the schema cannot be used: it refers to itself without end'));
    throw error;
  }
}

/** The validator writes addresses into what it is given. */
const copyOf = (schema: Readonly<Record<string, unknown>>): Schema => structuredClone(schema);

function draftOf({ $schema }: Readonly<Record<string, unknown>>): SchemaDraft {
  const named = typeof $schema === 'string' ? $schema : '';
  if (named.includes('draft-04')) return '4';
  if (named.includes('draft-06') || named.includes('draft-07')) return '7';
  return named.includes('2019-09') ? '2019-09' : '2020-12';
}

const types = z.enum(['array', 'boolean', 'integer', 'null', 'number', 'object', 'string']);
const count = z.int().nonnegative();
const pattern = z.string().refine(isExpression, { error: () => l10n.t('it is no regular expression') });
const names = z.array(z.string());
const inner = z.lazy((): z.ZodType => z.union([z.boolean(), keywords]));
const several = z.array(inner);
const byName = z.record(z.string(), inner);

/** The keywords with required forms; others mean nothing to a validator, and may have any value. */
const keywords = z.looseObject({
  type: z.union([types, z.array(types)]).optional(),
  enum: z.array(z.unknown()).optional(),
  $ref: z.string().optional(),
  pattern: pattern.optional(),
  required: names.optional(),
  ...optional(count, 'minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'),
  ...optional(count, 'minContains', 'maxContains'),
  ...optional(z.number(), 'minimum', 'maximum'),
  ...optional(z.union([z.number(), z.boolean()]), 'exclusiveMinimum', 'exclusiveMaximum'),
  multipleOf: z.number().positive().optional(),
  ...optional(byName, 'properties', '$defs', 'definitions', 'dependentSchemas'),
  patternProperties: z.record(pattern, inner).optional(),
  dependentRequired: z.record(z.string(), names).optional(),
  ...optional(inner, 'additionalProperties', 'unevaluatedProperties', 'propertyNames', 'additionalItems'),
  ...optional(inner, 'unevaluatedItems', 'contains', 'not', 'if', 'then', 'else'),
  ...optional(several, 'allOf', 'anyOf', 'oneOf', 'prefixItems'),
  items: z.union([inner, several]).optional(),
});

function optional<T extends z.ZodType>(schema: T, ...keys: readonly string[]): Record<string, z.ZodOptional<T>> {
  return Object.fromEntries(keys.map((key) => [key, schema.optional()]));
}

function isExpression(text: string): boolean {
  try {
    return new RegExp(text, 'u').source !== '';
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

/** The fault of a schema, as a clause; null when it is usable. */
function schemaFault(schema: Readonly<Record<string, unknown>>): string | null {
  const read = keywords.safeParse(schema);
  const [issue] = read.error?.issues ?? [];
  if (issue !== undefined) return `${issue.path.map(String).join('.')}: ${issue.message}`;
  if (draftOf(schema) === '2020-12' && Array.isArray(schema['items']))
    return l10n.t('items: a list is called prefixItems since 2020-12; an older $schema may be named');
  try {
    const all = dereference(copyOf(schema));
    const lost = Object.values(all).find(
      (one) => typeof one === 'object' && one.__absolute_ref__ !== undefined && !(one.__absolute_ref__ in all),
    );
    return typeof lost === 'object' ? l10n.t('$ref: there is no {0} in it', lost.$ref ?? '') : null;
  } catch (error) {
    // An address that is none, or that two have.
    return messageOf(error);
  }
}
