import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type * as Offered from '../../../media/domains/genenv-domain.d.ts';
import { readOpenenv } from '../../../src/shared/domains/openenv.ts';
import { readProgram } from '../../../src/shared/domains/program.ts';
import { readDraft, readObservation, readSeeds, readVerified } from '../../../src/shared/domains/given.ts';
import type { RewardTask, RewardTrace } from '../../../src/shared/rewards/given.ts';
import { rewardTaskSchema, rewardTraceSchema } from '../../../src/shared/rewards/given.ts';

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : never) : never;

/** Compiles only while what is offered and what is sent are the same. */
const agreed: { task: Same<RewardTask, Offered.Task>; trace: Same<RewardTrace, Offered.Trace> } = {
  task: true,
  trace: true,
};

const python = readFileSync(new URL('../../../media/domains/genenv_domain.pyi', import.meta.url), 'utf8');

/** Fields of a class of the stub, with whether they may be missing. */
function fieldsOf(name: string): Record<string, boolean> {
  const body = python.split(`class ${name}(TypedDict):\n`)[1]?.split(/\n(?=\S)/)[0] ?? '';
  const lines = [...body.matchAll(/^ {4}(\w+): (.+)$/gm)];
  return Object.fromEntries(lines.map(([, field = '', type = '']) => [field, type.startsWith('NotRequired[')]));
}

const optional = (shape: Record<string, { safeParse(value: unknown): { success: boolean } }>) =>
  Object.fromEntries(Object.entries(shape).map(([name, schema]) => [name, schema.safeParse(undefined).success]));

describe('the types that are offered for domains', () => {
  it('are those of what functions are given', () => {
    assert.deepEqual(Object.values(agreed), [true, true]);
    assert.deepEqual(fieldsOf('Task'), optional(rewardTaskSchema.shape));
    assert.deepEqual(fieldsOf('Trace'), optional(rewardTraceSchema.shape));
  });

  it('are those of what functions give', () => {
    const whole: Required<Offered.Seed> = {
      ...{
        id: 'one',
        prompt: [{ role: 'user', content: '1 + 1' }],
        gold: 2,
        difficulty: { digits: 1 },
        reset: { size: 3 },
      },
      ...{ evaluation: { kind: 'number' }, tools: [{ name: 'add', description: 'Adds.', parameters: {} }] },
    };
    assert.ok('value' in readSeeds([whole]));
    for (const [field, mayMiss] of Object.entries(fieldsOf('Draft'))) {
      const rest = Object.fromEntries(Object.entries(whole).filter(([name]) => name !== field));
      assert.equal('value' in readDraft(rest), mayMiss, field);
    }
    const program: Required<Offered.ProgramSpec> = {
      ...{ command: ['python', 'agent.py'], env: { MODE: 'fast' }, files: ['agent.py'], seconds: 60, megabytes: 512 },
      reward: 'line',
    };
    assert.ok('value' in readProgram(program));
    const openenv: Required<Offered.OpenEnv> = {
      ...{ url: 'http://127.0.0.1:8000', key: '${env:KEY}', sessions: 8, seconds: 5, megabytes: 1, solvedAt: 0.5 },
    };
    assert.ok('value' in readOpenenv(openenv));
    const observation: Offered.Observation = { say: 'Guess.', state: { left: 3 }, done: false };
    assert.ok('value' in readObservation(observation, null));
    assert.deepEqual(fieldsOf('Said'), { say: true, state: true, done: true });
    for (const verified of [true, false, 'too large'] satisfies Awaited<ReturnType<Offered.Verify>>[]) {
      assert.ok('value' in readVerified(verified));
    }
  });
});
