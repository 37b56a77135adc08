import assert from 'node:assert/strict';
import { fieldsAt, schemasAt } from '../../../src/shared/experiment/allowed.ts';
import { describeField, fieldAt, fields } from '../../../src/shared/experiment/fields.ts';
import { fileFields } from '../../../src/shared/experiment/fields/namedFiles.ts';
import { experimentFileSchema, resolvedJsonSchema } from '../../../src/shared/experiment/jsonSchema.ts';
import { fieldName, type Path } from '../../../src/shared/experiment/text/jsonText.ts';

/** Every field of the schema that holds a value, by path. */
function leaves(path: Path = []): string[] {
  const inner = fieldsAt(resolvedJsonSchema(), path);
  if (inner.length === 0) return [fieldName(path)];
  const optional = schemasAt(resolvedJsonSchema(), path).some(({ type }) => type === 'null');
  return [...(optional ? [fieldName(path)] : []), ...inner.flatMap((name) => leaves([...path, name]))];
}

describe('what a person is told of the fields', () => {
  it('covers the schema, and nothing that is not in it', () => {
    assert.deepEqual(Object.keys(fields).toSorted(), leaves().toSorted());
  });

  it('is one full sentence each', () => {
    for (const [path, { label, meaning }] of Object.entries(fields)) {
      assert.match(meaning, /^\S[^\n]*\.$/, path);
      assert.match(label, /^\S.*[^.]$/, path);
    }
  });

  it('explains every choice of every enumeration', () => {
    for (const path of Object.keys(fields)) {
      const choices = schemasAt(resolvedJsonSchema(), path.split('.')).flatMap((part) => part.enum ?? part.const ?? []);
      if (path === 'version' || choices.length === 0) continue;
      assert.deepEqual(Object.keys(fieldAt(path)?.choices ?? {}).toSorted(), choices.map(String).toSorted(), path);
    }
  });

  it('says what null stands for, and gives numbers a step', () => {
    for (const path of Object.keys(fields)) {
      const types = schemasAt(resolvedJsonSchema(), path.split('.')).flatMap(({ type }) => [type ?? []].flat());
      if (types.includes('null')) assert.notEqual(fieldAt(path)?.none, undefined, path);
      if (path !== 'version' && (types.includes('number') || types.includes('integer')))
        assert.notEqual(fieldAt(path)?.step, undefined, path);
    }
  });

  it('says of every text whether it names a file, so that a new one is checked like the others', () => {
    const isText = (path: string): boolean =>
      schemasAt(resolvedJsonSchema(), path.split('.')).some(
        ({ type, enum: choices, const: only }) =>
          [type ?? []].flat().includes('string') && choices === undefined && only === undefined,
      );
    const texts = Object.keys(fields).filter((path) => isText(path) && !fileFields.includes(path));
    const policies = ['agent', 'environment'].map((role) => `endpoints.${role}`);
    const ofPolicy = ['url', 'key', 'model', 'tokenizer', 'workdir', 'mount', 'overrides', 'sampler', 'samplerKey'];
    const plain = [
      ...['name', 'evaluation.split'],
      ...['Url', 'Model', 'Key'].map((field) => `generation.embedding${field}`),
      ...policies.flatMap((policy) => ofPolicy.map((field) => `${policy}.${field}`)),
    ];
    assert.deepEqual(texts.toSorted(), plain.toSorted());
    assert.ok(fileFields.includes('evaluation.data') && fileFields.includes('endpoints.agent.weights'));
  });

  it('is what hover and completion show', () => {
    const schema = experimentFileSchema();
    const [alpha] = schemasAt(schema, ['curriculum', 'alpha']);
    assert.equal(alpha?.description, describeField('curriculum.alpha'));
    const [filter] = schemasAt(schema, ['curriculum', 'filter']);
    assert.deepEqual(filter?.['enumDescriptions'], Object.values(fields['curriculum.filter'].choices ?? {}));
  });
});
