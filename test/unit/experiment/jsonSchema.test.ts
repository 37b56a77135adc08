import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { Validator } from '@cfworker/json-schema';
import { resolveExperiment } from '../../../src/shared/experiment/resolve.ts';
import { allowedAt, fieldsAt } from '../../../src/shared/experiment/allowed.ts';
import { experimentFileSchema, resolvedJsonSchema } from '../../../src/shared/experiment/jsonSchema.ts';
import { presets } from '../../../src/shared/experiment/presets.ts';

describe('the JSON Schema of experiment files', () => {
  it('on disk is the one that the code gives', () => {
    const file = new URL('../../../media/schemas/genenv.schema.json', import.meta.url);
    assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), experimentFileSchema(), 'Run `npm run schemas`.');
  });

  it('lets a file leave out what a preset gives, and nothing that none gives', () => {
    const requires = (schema: unknown, path: string): string[] => {
      if (typeof schema !== 'object' || schema === null) return [];
      return Object.entries(schema).flatMap(([key, value]) =>
        key === 'required' ? [`${path}: ${String(value)}`] : requires(value, `${path}/${key}`),
      );
    };
    assert.deepEqual(requires(experimentFileSchema(), ''), [
      '/properties/domains/items: share',
      '/properties/curriculum/properties/alphaPoints/anyOf/0/items: epoch,alpha',
      '/properties/earlyStop/anyOf/0: patience,minImprovement',
    ]);
  });

  it('takes an endpoint of which a file changes a price alone, as the loader does', () => {
    const file = { version: 1, preset: 'embedded', endpoints: { agent: { pricePerHour: 2.5 }, environment: {} } };
    const schema = z.record(z.string(), z.unknown()).parse(experimentFileSchema());
    const { valid, errors } = new Validator(schema, '2020-12', false).validate(file);
    assert.ok(valid, JSON.stringify(errors));
    assert.equal(resolveExperiment(file).endpoints.agent.pricePerHour, 2.5);
  });

  it('says in words what each field of a preset may be', () => {
    const schema = resolvedJsonSchema();
    const walk = (value: unknown, path: (string | number)[]): void => {
      if (Array.isArray(value)) for (const [i, inner] of value.entries()) walk(inner, [...path, i]);
      else if (typeof value === 'object' && value !== null) {
        // An endpoint has the fields of its kind; the schema those of every kind.
        const ofEveryKind = path[0] === 'endpoints' && path.length === 2;
        const expected = fieldsAt(schema, path).filter((name) => !ofEveryKind || Object.hasOwn(value, name));
        assert.deepEqual(Object.keys(value).toSorted(), expected.toSorted(), path.join('.'));
        for (const [key, inner] of Object.entries(value)) walk(inner, [...path, key]);
      } else assert.notEqual(allowedAt(schema, path), '', path.join('.'));
    };
    const domains = [{ ...presets.embedded.domain, share: 1 }];
    walk({ ...presets.embedded, domains, earlyStop: { patience: 1, minImprovement: 0 } }, []);
    assert.equal(allowedAt(schema, ['curriculum', 'alpha']), 'a number greater than 0 and less than 1');
    assert.equal(allowedAt(schema, ['curriculum', 'beta']), 'a number greater than 0 and at most 1000');
    assert.equal(allowedAt(schema, ['budget', 'tokens']), 'a whole number at least 1, or null');
    assert.equal(allowedAt(schema, ['agent', 'train']), 'true or false');
    assert.equal(allowedAt(schema, ['version']), '1');
    assert.equal(allowedAt(schema, ['nowhere']), '');
  });
});
