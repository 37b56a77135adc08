import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { endpointDefaults, endpointSchema } from '../../../src/shared/experiment/endpoints/endpoint.ts';
import {
  freeName,
  moved,
  readRemembered,
  writtenEndpoint,
  writtenRemembered,
} from '../../../src/shared/experiment/endpoints/rememberedEndpoint.ts';

const gpu = { name: 'gpu', kind: 'tinker', url: 'http://gpu:8000', key: '${secret:gpu}', model: 'm' };

describe('remembered endpoints', () => {
  it('are whole endpoints of their kind, and written without what their kind says anyway', () => {
    for (const kind of ['tinker', 'openai', 'verl'] as const) {
      const entry = { ...endpointDefaults[kind], url: 'http://gpu:8000', name: 'n' };
      const [read] = readRemembered([{ name: 'n', kind, url: 'http://gpu:8000' }]);
      assert.ok(read !== undefined && 'endpoint' in read, JSON.stringify(read));
      assert.deepEqual({ ...read.endpoint, name: 'n' }, entry);
      const written = writtenRemembered(read);
      assert.deepEqual(Object.keys(z.record(z.string(), z.unknown()).parse(written)), [
        'name',
        'kind',
        'url',
        'key',
        'model',
      ]);
      assert.deepEqual(readRemembered([written])[0], read);
    }
    const [read] = readRemembered([{ ...gpu, rank: 8, inFlight: 4 }]);
    assert.ok(read !== undefined && 'endpoint' in read);
    assert.deepEqual(writtenEndpoint(read.endpoint), {
      ...{ kind: 'tinker', url: 'http://gpu:8000', key: '${secret:gpu}', model: 'm' },
      ...{ rank: 8, inFlight: 4 },
    });
  });

  it('that cannot be used say why, keep their place, and never repeat a key', () => {
    const secret = 'tml-very-secret';
    const read = readRemembered([
      gpu,
      { ...gpu, name: 'literal', key: secret },
      { ...gpu, url: 'http://other' },
      { name: 'odd', kind: 'cloud' },
      { kind: 'tinker' },
      'text',
      { ...gpu, name: 'more', colour: 'red' },
      { ...gpu, name: 'last', url: 'gpu:8000' },
    ]);
    assert.deepEqual(
      read.map((entry) => [entry.index, entry.name, 'problem' in entry]),
      [
        [0, 'gpu', false],
        [1, 'literal', true],
        [2, 'gpu', true],
        [3, 'odd', true],
        [4, null, true],
        [5, null, true],
        [6, 'more', true],
        [7, 'last', true],
      ],
    );
    const problems = read.map((entry) => ('problem' in entry ? entry.problem : ''));
    assert.match(problems[1] ?? '', /never written into a file: give \$\{env:NAME\} or \$\{secret:NAME\}/);
    assert.match(problems[2] ?? '', /Another endpoint has this name/);
    assert.match(problems[3] ?? '', /none of tinker, openai, verl/);
    assert.doesNotMatch(JSON.stringify(read), new RegExp(secret));
    assert.deepEqual(readRemembered(undefined), []);
    assert.deepEqual(readRemembered({ a: 1 }), []);
  });

  it('are moved past each other, whatever they are', () => {
    assert.deepEqual(moved(['a', 2, 'c'], 0, 1), [2, 'a', 'c']);
    assert.deepEqual(moved(['a', 2, 'c'], 2, 0), ['c', 'a', 2]);
    assert.deepEqual(moved(['a', 2, 'c'], 1, 2), ['a', 'c', 2]);
    assert.equal(freeName('a', ['b']), 'a');
    assert.equal(freeName('a', ['a', 'a 2']), 'a 3');
  });

  it('have the fields in the editor’s settings that endpoints have', async () => {
    const manifest = z
      .object({
        contributes: z.object({ configuration: z.array(z.object({ properties: z.record(z.string(), z.unknown()) })) }),
        capabilities: z.object({ untrustedWorkspaces: z.object({ restrictedConfigurations: z.array(z.string()) }) }),
      })
      .parse(JSON.parse(await readFile(new URL('../../../package.json', import.meta.url), 'utf8')));
    const setting = manifest.contributes.configuration.map(({ properties }) => properties['genenv.endpoints'])[0];
    const { items } = z
      .object({
        items: z.object({ properties: z.record(z.string(), z.looseObject({ pattern: z.string().optional() })) }),
      })
      .parse(setting);
    const fields = new Set(
      endpointSchema.options.flatMap((option) =>
        option.shape.kind.value === 'embedded' ? [] : Object.keys(option.shape),
      ),
    );
    assert.deepEqual(Object.keys(items.properties).sort(), ['name', ...fields].sort());
    for (const key of ['key', 'samplerKey']) {
      const pattern = new RegExp(items.properties[key]?.pattern ?? 'none');
      assert.match('${secret:my-gpu}', pattern);
      assert.doesNotMatch('tml-secret', pattern);
    }
    // An untrusted workspace must not send keys of this machine anywhere.
    assert.ok(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations.includes('genenv.endpoints'));
  });
});
