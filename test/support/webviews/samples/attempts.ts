/** A page's state as tests show it. */
import { successRate } from '../../../../src/engine/math/successRate.ts';
import type { ShownAttempt, ShownTask } from '../../../../src/features/attempts/contract.ts';

export const gold = 'first set f3 rice 4 second get f1 rice third clear f7 beans';
export const answers = [
  'first set f3 rice 4 second get f1 milk third clear f7 beans',
  gold,
  'first set f3 rice 5',
  'first set f3 rice 4 second get f1 rice third clear f7 beans fourth get f1 rice',
];

export const attempt = (number: number, more: Partial<ShownAttempt> = {}): ShownAttempt => {
  const text = answers[number % answers.length] ?? '';
  const solved = text === gold;
  return {
    id: `e3/e3.f2.v1/r${number}`,
    name: `r${number}`,
    verdict: solved ? 'solved' : 'unsolved',
    note: solved ? null : 'call 2: expected second get f1 rice, got something else',
    reward: solved ? 1 : 0.33,
    rescored: null,
    parts: { calls: solved ? 1 : 0.33, format: 1 },
    ...{ advantage: solved ? 1.5 : -0.5, without: null },
    tokens: text.split(' ').length + 1,
    surprise: 0.2 + number / 10,
    stopReason: 'stop',
    turns: [{ speaker: 'assistant', text, final: true }],
    branches: [],
    ...more,
  };
};

export const named = (number: number) => ({ id: `e3/e3.f2.v1/r${number}`, name: `r${number}` });

export const task = (attempts: readonly ShownAttempt[], more: Partial<ShownTask> = {}): ShownTask => ({
  ...{ run: '/runs/one', runName: 'embedded demo', task: 'e3.f2.v1', plan: 'steps 3 tools 3 fillers 0', epoch: 3 },
  ...{ epochs: [3], gold },
  successRate: successRate(attempts.filter(({ verdict }) => verdict === 'solved').length, attempts.length),
  rescored: null,
  attempts: [...attempts],
  ...more,
});
