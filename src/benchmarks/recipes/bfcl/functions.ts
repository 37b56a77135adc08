/** Function documents as BFCL has them: what a new task's tools must look like. */
import * as z from 'zod';
import { inForm } from '../written.ts';
import { TaskFault } from '../../taskFault.ts';

const types = ['string', 'integer', 'float', 'boolean', 'array', 'tuple', 'dict', 'any'] as const;

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
  name: z.string().regex(/^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$/, 'must be a name as Python writes it'),
  description: z.string().min(1),
  parameters: z.looseObject({
    type: z.literal('dict'),
    properties: z.record(
      z.string().regex(/^[A-Za-z_]\w*$/, 'must be a name as Python writes it'),
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
    if (names.has(name)) throw new TaskFault('schema', `functions: ${name} is there twice`);
    names.add(name);
    for (const one of parameters.required) {
      if (Object.hasOwn(parameters.properties, one)) continue;
      throw new TaskFault('schema', `functions: ${name} needs ${one}, which it does not describe`);
    }
    for (const [parameter, spec] of Object.entries(parameters.properties)) refuseBare(spec, `${name}.${parameter}`);
  }
  return specs;
}

/** The official checker stops at a list whose elements have no type. */
function refuseBare({ type, items }: Parameter, path: string): void {
  if (type !== 'array' && type !== 'tuple') return;
  if (items === undefined) throw new TaskFault('schema', `functions: the elements of ${path} have no type`);
  refuseBare(items, `${path}.items`);
}
