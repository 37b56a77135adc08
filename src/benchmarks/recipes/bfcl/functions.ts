/** Function documents as BFCL has them: what a new task's tools must look like. */
import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import type { PythonValue } from '../../python/value.ts';
import { TaskFault } from '../../taskFault.ts';
import { inForm } from '../written.ts';

const types = ['string', 'integer', 'float', 'boolean', 'array', 'tuple', 'dict', 'any'] as const;

/** One parameter, or what a list or dict holds. */
interface Parameter {
  type: (typeof types)[number];
  description?: string | undefined;
  enum?: unknown[] | undefined;
  default?: unknown;
  items?: Parameter | undefined;
  properties?: Record<string, Parameter> | undefined;
  required?: string[] | undefined;
}

const parameterSchema: z.ZodType<Parameter> = z.lazy(() =>
  z.looseObject({
    type: z.enum(types),
    description: z.string().optional(),
    enum: z.array(z.unknown()).min(1).optional(),
    default: z.unknown().optional(),
    items: parameterSchema.optional(),
    properties: z.record(z.string(), parameterSchema).optional(),
    required: z.array(z.string()).optional(),
  }),
);

const functionSchema = z.looseObject({
  name: z
    .string()
    .regex(/^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$/, { error: () => l10n.t('must be a name as Python writes it') }),
  description: z.string().min(1),
  parameters: z.looseObject({
    type: z.literal('dict'),
    properties: z.record(
      z.string().regex(/^[A-Za-z_]\w*$/, { error: () => l10n.t('must be a name as Python writes it') }),
      parameterSchema.and(z.looseObject({ description: z.string().min(1) })),
    ),
    required: z.array(z.string()),
  }),
});
export type FunctionSpec = z.infer<typeof functionSchema>;

/** @throws TaskFault `schema` */
export function functionSpecs(value: unknown): FunctionSpec[] {
  const specs = inForm(value, z.array(functionSchema).min(1).max(40), 'functions');
  const names = new Set<string>();
  for (const { name, parameters } of specs) {
    if (names.has(name)) throw new TaskFault('schema', l10n.t('functions: {0} is there twice', name));
    names.add(name);
    for (const one of parameters.required) {
      if (Object.hasOwn(parameters.properties, one)) continue;
      throw new TaskFault('schema', l10n.t('functions: {0} needs {1}, which it does not describe', name, one));
    }
    for (const [parameter, spec] of Object.entries(parameters.properties)) refuseBare(spec, `${name}.${parameter}`);
  }
  return specs;
}

/** The official checker stops at a list whose elements have no type. */
function refuseBare({ type, items }: Parameter, path: string): void {
  if (type !== 'array' && type !== 'tuple') return;
  if (items === undefined) throw new TaskFault('schema', l10n.t('functions: the elements of {0} have no type', path));
  refuseBare(items, `${path}.items`);
}

/** Why a value is not what its parameter asks for, as a clause; null where it is. BFCL's checker goes by the gold's own types. */
export function typeFault(value: PythonValue, { type, items, properties, required }: Parameter): string | null {
  switch (type) {
    case 'any':
      return null;
    case 'string':
      return typeof value === 'string' ? null : l10n.t('is no string');
    case 'integer':
      return typeof value === 'bigint' ? null : l10n.t('is no integer');
    case 'float':
      return typeof value === 'number' || typeof value === 'bigint' ? null : l10n.t('is no float');
    case 'boolean':
      return typeof value === 'boolean' ? null : l10n.t('is no boolean');
    case 'array':
    case 'tuple':
      if (!Array.isArray(value)) return l10n.t('is no list');
      return items === undefined ? null : firstFault(value.map((one) => typeFault(one, items)));
    case 'dict':
      if (!(value instanceof Map)) return l10n.t('is no dict');
      if (properties === undefined) return null;
      return firstFault([
        ...(required ?? []).map((one) => (value.has(one) ? null : l10n.t('has no {0}', one))),
        ...Array.from(value, ([key, one]) => {
          const inner = Object.hasOwn(properties, key) ? properties[key] : undefined;
          return inner === undefined ? l10n.t('has {0}, which is not described', key) : typeFault(one, inner);
        }),
      ]);
  }
}

const firstFault = (faults: readonly (string | null)[]): string | null => faults.find((one) => one !== null) ?? null;
