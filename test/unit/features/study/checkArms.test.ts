import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkArms } from '../../../../src/features/study/node/checkArms.ts';
import { openStudy } from '../../../../src/features/study/node/openStudy.ts';
import { fromSources } from '../../../support/fromSources.ts';

const lines = (...ids: string[]): string =>
  ids
    .map((id) => {
      const evaluation = { kind: 'number', absolute: 0, relative: 0, answer: { kind: 'text' } };
      return JSON.stringify({ id, prompt: [{ role: 'user', content: `say ${id}` }], evaluation, gold: '1' });
    })
    .join('\n');

describe('The arms of a study, before they begin', () => {
  let dir = '';
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'genenv-arms-'));
    await writeFile(join(dir, 'seeds.jsonl'), lines('a', 'b'));
    await writeFile(join(dir, 'held.jsonl'), lines('c'));
  });
  afterEach(() => rm(dir, { recursive: true, force: true }));

  async function checked(domain: Record<string, unknown>): Promise<string[]> {
    const base = {
      ...{ version: 1, preset: 'default', mode: 'offline', agent: { train: false }, domain },
      generation: { offlineFile: 'seeds.jsonl' },
      endpoints: { agent: { kind: 'openai', url: 'http://127.0.0.1:9/v1', model: 'm' } },
    };
    const arms = { a: {}, b: { 'rollouts.temperature': 0.5 } };
    const study = { version: 1, name: 's', base: 'b.genenv.json', arms, seeds: [1, 2], budget: { rollouts: 2000 } };
    await writeFile(join(dir, 'b.genenv.json'), JSON.stringify(base));
    await writeFile(join(dir, 's.study.json'), JSON.stringify({ ...study, measures: [{ kind: 'validation' }] }));
    const said: string[] = [];
    await checkArms(await openStudy(dir, 's.study.json'), fromSources, { warn: (line) => said.push(line) });
    return said;
  }

  it('are refused where none of their files has a task for the measure', async () => {
    await assert.rejects(
      checked({ seeds: 'seeds.jsonl' }),
      /No run of the arm "a" has a value of the measure "validation": nothing is held out/,
    );
    await checked({ seeds: 'seeds.jsonl', heldOut: 'held.jsonl' });
  });

  it('say once which tasks of their files are left out', async () => {
    const same = lines('a').replace('"id":"a"', '"id":"z"');
    await writeFile(join(dir, 'held.jsonl'), `${lines('c')}\n${lines('c').replace('"id":"c"', '"id":"d"')}`);
    await writeFile(join(dir, 'seeds.jsonl'), `${lines('a', 'b')}\n${same}`);
    const said = await checked({ seeds: 'seeds.jsonl', heldOut: 'held.jsonl' });
    const path = join(dir, 'seeds.jsonl');
    assert.equal(
      said.filter((line) => line.startsWith(`${path}:3: 2 of 3 tasks can be used. `)).length,
      1,
      said.join(),
    );
    assert.equal(said.length, 2, said.join('\n'));
  });
});
