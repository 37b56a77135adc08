import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type * as Offered from '../../../media/rewards/genenv-reward.d.ts';
import {
  rewardTaskSchema,
  rewardTraceSchema,
  type RewardTask,
  type RewardTrace,
} from '../../../src/shared/rewards/given.ts';
import { readResult, type RewardResult } from '../../../src/shared/rewards/result.ts';

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : never) : never;

/** Compiles only while what is offered and what is sent and read are the same. */
const agreed: {
  task: Same<RewardTask, Offered.Task>;
  trace: Same<RewardTrace, Offered.Trace>;
  result: Same<RewardResult, Offered.Result>;
  reward: Same<ReturnType<Offered.Reward>, Offered.Result | Promise<Offered.Result>>;
} = { task: true, trace: true, result: true, reward: true };

const python = readFileSync(new URL('../../../media/rewards/genenv_reward.pyi', import.meta.url), 'utf8');

/** Fields of a class of the stub, with whether they may be missing. */
function fieldsOf(name: string): Record<string, boolean> {
  const body = python.split(`class ${name}(TypedDict):\n`)[1]?.split(/\n(?=\S)/)[0] ?? '';
  const lines = [...body.matchAll(/^ {4}(\w+): (.+)$/gm)];
  return Object.fromEntries(lines.map(([, field = '', type = '']) => [field, type.startsWith('NotRequired[')]));
}

const optional = (shape: Record<string, { safeParse(value: unknown): { success: boolean } }>) =>
  Object.fromEntries(Object.entries(shape).map(([name, schema]) => [name, schema.safeParse(undefined).success]));

describe('the types that are offered for rewards', () => {
  it('are those of what is sent and read', () => {
    assert.deepEqual(Object.values(agreed), [true, true, true, true]);
    assert.deepEqual(fieldsOf('Task'), optional(rewardTaskSchema.shape));
    assert.deepEqual(fieldsOf('Trace'), optional(rewardTraceSchema.shape));
  });

  it('say of a result in Python which fields it must have', () => {
    assert.deepEqual(fieldsOf('Judged'), { success: false, reward: false, parts: true, note: true });
    const good = { success: true, reward: 1, parts: { a: 1 }, note: 'n' };
    for (const [field, mayMiss] of Object.entries(fieldsOf('Judged'))) {
      const rest = Object.fromEntries(Object.entries(good).filter(([name]) => name !== field));
      assert.equal('result' in readResult(rest), mayMiss, field);
    }
  });
});
