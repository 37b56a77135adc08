/** The schema's description of an adapter's field, which hover and completion in the text have in English. */
import * as l10n from '@vscode/l10n';
import { adapterJsonSchema } from '../../src/shared/adapters/jsonSchema.ts';
import { schemasAt, type JsonSchema } from '../../src/shared/experiment/allowed.ts';
import type { Path } from '../../src/shared/experiment/text/jsonText.ts';

/** '' where it says nothing. */
export function helpOf(path: Path): string {
  return helpIn(schemasAt(adapterJsonSchema(), path).find(({ description }) => description !== undefined));
}

/** A schema's own description, in the editor's language. */
export const helpIn = (schema: JsonSchema | undefined): string =>
  schema?.description === undefined ? '' : l10n.t(schema.description);

/** The schema of one kind of answer or scorer. */
export function kindSchema(part: 'answer' | 'scorer', kind: string): JsonSchema | undefined {
  return schemasAt(adapterJsonSchema(), [part]).find((schema) => {
    const own = schema.properties?.['kind'];
    return typeof own === 'object' && own.const === kind;
  });
}
