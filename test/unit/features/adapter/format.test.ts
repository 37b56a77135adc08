import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { readAdapter } from '../../../../src/benchmarks/adapter/readAdapter.ts';
import { ruleNames } from '../../../../src/benchmarks/scorerTable.ts';
import { answerSchema } from '../../../../src/shared/adapters/answer.ts';
import { adapterFileSchema } from '../../../../src/shared/adapters/jsonSchema.ts';
import { ruleSchemas, scorerSchema } from '../../../../src/shared/adapters/scorer.ts';
import { answerStarts, scorerStarts } from '../../../../src/shared/adapters/starts.ts';
import { adapterTemplates, templateText } from '../../../../src/features/adapter/host/adapterTemplates.ts';
import { sampleAdapter } from '../../../support/adapters/sampleAdapter.ts';

const media = new URL('../../../../media/', import.meta.url);

/** The lines, fields and messages of what is wrong. */
const wrong = (text: string): string[] =>
  readAdapter(text, 'a.adapter.json').problems.map(({ line, field, message }) => `${line} ${field}: ${message}`);

const written = (over: Parameters<typeof sampleAdapter>[0] = {}): string =>
  JSON.stringify({ ...sampleAdapter(), ...over }, null, 2);

describe('an adapter file', () => {
  it('has the JSON Schema that editors complete from (npm run schemas)', async () => {
    const file = new URL('schemas/adapter.schema.json', media);
    assert.deepEqual(JSON.parse(await readFile(file, 'utf8')), JSON.parse(JSON.stringify(adapterFileSchema())));
  });

  it('describes every field', () => {
    const bare: string[] = [];
    const walk = (schema: unknown, path: string): void => {
      if (typeof schema !== 'object' || schema === null) return;
      for (const branch of 'oneOf' in schema && Array.isArray(schema.oneOf) ? schema.oneOf : []) walk(branch, path);
      const properties = 'properties' in schema ? schema.properties : undefined;
      for (const [name, part] of Object.entries(properties ?? {})) {
        const inner = `${path}.${name}`;
        if (name !== 'kind' && !JSON.stringify(part).includes('"description"')) bare.push(inner);
        walk(part, inner);
      }
    };
    walk(adapterFileSchema(), '');
    assert.deepEqual(bare, []);
  });

  it('of the extension itself is in order, and says where the data is offered', async () => {
    const names = await readdir(new URL('adapters/', media));
    assert.ok(names.length >= 2);
    for (const name of names) {
      const { adapter, problems } = readAdapter(await readFile(new URL(`adapters/${name}`, media), 'utf8'), name);
      assert.ok(adapter !== null, name);
      assert.deepEqual(
        problems.map(({ field, severity }) => [field, severity]),
        [['data.folder', 'warning']],
      );
    }
  });

  it('of every template lacks nothing but its folder', () => {
    for (const template of adapterTemplates) {
      const { adapter, problems } = readAdapter(templateText(template, 'mine'), 'mine.adapter.json');
      assert.ok(adapter !== null, template.label);
      assert.equal(problems.length, 1);
    }
  });

  it('may have comments, a schema and trailing commas', () => {
    const text = written()
      .replace('{', '{ // why\n "$schema": "x",')
      .replace(/\}\s*$/, ',}');
    assert.deepEqual(wrong(text), []);
  });

  it('is told of what is malformed at its line', () => {
    assert.deepEqual(wrong('{\n  "version": 1,\n  "name" 5\n}').length, 1);
    assert.match(wrong('[]')[0] ?? '', /^1 : An adapter is a JSON object/);
  });

  it('is told of unknown fields with the nearest name', () => {
    const text = written().replace('"gold"', '"golds"');
    assert.ok(wrong(text).some((one) => one.includes('Unknown field "golds"')));
    assert.match(
      readAdapter(text, 'x')
        .problems.map(({ remedy }) => remedy)
        .join(' '),
      /Did you mean "gold"\?/,
    );
  });

  const faults: [string, Parameters<typeof sampleAdapter>[0], RegExp][] = [
    [
      'a template that is not closed',
      { task: { ...sampleAdapter().task, id: '{{ split' } },
      /task\.id is no Jinja template/,
    ],
    [
      'a pointer to nothing known',
      { task: { ...sampleAdapter().task, gold: '/answer' } },
      /“answer”, which is nothing/,
    ],
    [
      'a regular expression that is none',
      { answer: { kind: 'regex', pattern: '(', group: 0, which: 'last' } },
      /answer\.pattern/,
    ],
    [
      'a group that is not there',
      { answer: { kind: 'regex', pattern: 'a(b)', group: 2, which: 'last' } },
      /Group 2 is asked for, but the expression has 1/,
    ],
    ['no split', { data: { ...sampleAdapter().data, splits: {} } }, /There is no split/],
    [
      'an empty share',
      { data: { ...sampleAdapter().data, splits: { a: { files: ['x'], share: { from: 0.5, to: 0.5 } } } } },
      /holds nothing/,
    ],
    [
      'a schema that is none',
      { scorer: { kind: 'json-schema', schema: { type: 'nothing' } } },
      /The schema cannot be used/,
    ],
  ];
  for (const [what, over, message] of faults) {
    it(`is told of ${what}, at its line`, () => {
      const { adapter, problems } = readAdapter(written(over), 'x');
      assert.equal(adapter, null);
      assert.match(problems.map(({ line, field, message: said }) => `${line} ${field}: ${said}`).join('\n'), message);
      assert.ok(problems.every(({ line }) => line > 1));
    });
  }

  it('keeps what its records are read by while other parts are wrong', () => {
    const parts = (over: object) => readAdapter(written(over), 'x').parts;
    const { data, task } = sampleAdapter();
    const open = { ...task, gold: 'a {{ record.answer' };
    assert.deepEqual(parts({}), { data, task });
    assert.deepEqual(parts({ scorer: { kind: 'exakt' } }), { data, task });
    assert.deepEqual(parts({ task: open }), { data, task: open });
    assert.deepEqual(parts({ task: { prompt: 3 } }), { data, task: null });
    assert.equal(parts({ data: { ...data, splits: 'test' } }), null);
    const share = { a: { files: ['x'], share: { from: 0, to: 0.5 } } };
    const nameless = { ...task, id: '{{ record.id' };
    assert.equal(parts({ data: { ...data, splits: share }, task: nameless }), null, 'a share is drawn by the ids');
  });

  it('names rules that the table of scorers has, each with what it begins with', () => {
    const kinds = Object.keys(ruleSchemas);
    assert.deepEqual([...kinds, 'storekeeper'].sort(), [...ruleNames].sort());
    assert.deepEqual(Object.keys(scorerStarts).sort(), kinds.sort());
    for (const start of Object.values(scorerStarts)) assert.deepEqual(scorerSchema.parse(start), start);
    for (const start of Object.values(answerStarts)) assert.deepEqual(answerSchema.parse(start), start);
  });
});
