import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { AgentContext } from '../../../../src/features/agents/node/agentContext.ts';
import { checkExperiment, otherFiles } from '../../../../src/features/agents/node/experimentFiles.ts';
import { branchedExperiment } from '../../../../src/shared/experiment/branched.ts';
import { fileFields, namedFiles } from '../../../../src/shared/experiment/fields/namedFiles.ts';
import { nested, overlay, resolveExperiment, type JsonObject } from '../../../../src/shared/experiment/resolve.ts';

const embedded = { version: 1, name: 'one', preset: 'embedded' };
const experiment = (...over: JsonObject[]) => resolveExperiment(over.reduce(overlay, embedded));

describe('files of an agent’s experiment', () => {
  let dir: string;
  let folder: string;
  let context: AgentContext;

  before(async () => {
    dir = mkdtempSync(join(tmpdir(), 'genenv-agent-files-'));
    folder = join(dir, 'inside');
    mkdirSync(folder);
    const log = { info: () => undefined, warn: () => undefined };
    const place = { folder, root: join(folder, '.genenv', 'runs'), dist: pathToFileURL(join(dir, 'program/')) };
    mkdirSync(join(dir, 'media', 'adapters'), { recursive: true });
    context = await AgentContext.open({
      ...{ ...place, mayAct: true, scheme: 'vscode', version: 'test', by: 'A test', log },
      clock: { now: () => 0 },
    });
  });
  after(() => rmSync(dir, { recursive: true }));

  const check = (over: JsonObject) => checkExperiment(context, experiment(over), folder);
  const outside = /leads out of the folder/;

  it('lie in its folder, whatever the name looks like and whichever field has it', async () => {
    for (const field of fileFields) {
      for (const name of ['/elsewhere/x', '../x', 'aa:/../../x', 'https://../../../../x']) {
        const over = nested(field.split('.'), name);
        await assert.rejects(check(over), outside, `${field}=${name}`);
      }
      const inside = check(nested(field.split('.'), 'x.jsonl'));
      await assert.doesNotReject(field === 'evaluation.adapter' ? Promise.resolve() : inside, field);
    }
    const domains = [
      { name: 'storekeeper', share: 1 },
      { file: '../other.domain.ts', share: 1 },
    ];
    await assert.rejects(check({ domains }), /“\.\.\/other\.domain\.ts” \(domains\[1\]\.file\) leads out/);
    await check({});
  });

  it('are also the data that its adapters name', async () => {
    const adapter = join(folder, 'mine.adapter.json');
    const shipped = new URL('../../../../media/adapters/bamboogle.adapter.json', import.meta.url);
    const text = readFileSync(shipped, 'utf8');
    writeFileSync(adapter, text);
    const named = { evaluation: { adapter: 'mine.adapter.json', every: 1 } };
    await check(named);
    mkdirSync(join(dir, 'secrets'));
    writeFileSync(adapter, text.replace('"folder": ""', '"folder": "../secrets"'));
    await assert.rejects(check(named), /data folder of the adapter .* leads out/);
    await assert.rejects(check({ generation: { testSets: 'found', heldOutRun: 8 } }), outside);
    await assert.rejects(check({ domain: { file: 'mine.adapter.json' } }), outside);
    rmSync(adapter);
  });

  it('are the same in a branch, however another one is named', () => {
    const before = experiment({ curriculum: { reward: { file: '../mine.curriculum.ts' } } });
    const changed = (...set: string[]): string[] => {
      const parsed = branchedExperiment(before, set, 0);
      assert.ok('experiment' in parsed, JSON.stringify(parsed));
      return otherFiles(before, parsed.experiment);
    };
    assert.deepEqual(changed('curriculum.kMin=0.2'), []);
    assert.deepEqual(changed('reward.file=x.reward.ts'), ['reward.file']);
    assert.deepEqual(changed('reward={"file": "/x.reward.ts"}'), ['reward.file']);
    assert.deepEqual(changed('generation={"offlineFile": "/x.jsonl"}', 'mode=offline'), ['generation.offlineFile']);
    assert.deepEqual(changed('curriculum.reward={"file": "x.curriculum.ts"}'), ['curriculum.reward.file']);
    assert.deepEqual(changed('curriculum.reward.kind=file'), ['curriculum.reward.file']);
    assert.deepEqual(
      namedFiles(before).map(({ field }) => field),
      ['endpoints.agent.weights', 'endpoints.environment.weights', 'curriculum.reward.file'],
    );
  });
});
