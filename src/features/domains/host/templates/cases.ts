/** Worked cases of each template, which it passes: valid and invalid texts, verification, judgements. */
import { judgedByDomain } from '../../../../shared/domains/domainFile.ts';
import type { DomainCase } from '../../../../shared/domains/cases.ts';
import { toolCallsOf } from '../../../../shared/rewards/toolCalls.ts';
import type { RewardTask, RewardTrace } from '../../../../shared/rewards/given.ts';
import { defined } from '../../../../shared/defined.ts';

type Said = RewardTrace['messages'];

const parses = (note: string, text: string, gold?: string): DomainCase => ({
  ...{ v: 1, call: 'parse', note, text, plan: '' },
  expected: { accepted: true, ...defined({ gold }) },
});
const rejects = (note: string, text: string, reason: string): DomainCase => ({
  ...{ v: 1, call: 'parse', note, text, plan: '' },
  expected: { accepted: false, reason },
});

const user = (content: string): Said => [{ role: 'user', content }];

function judges(
  note: string,
  of: { prompt: string; gold: string; evaluation?: RewardTask['evaluation'] },
  messages: Said,
  expected: { success: boolean; reward: number },
): DomainCase {
  const { prompt, gold, evaluation = { kind: judgedByDomain } } = of;
  const answer = messages.findLast(({ role }) => role === 'assistant')?.content ?? '';
  const toolCalls = toolCallsOf(answer);
  const task = {
    id: 'example',
    family: 'example',
    epoch: 0,
    prompt: user(prompt),
    evaluation,
    gold,
    seed: null,
    plan: '',
  };
  const trace = { id: 'example', messages, answer, toolCalls, stopReason: 'stop' as const, version: 'agent@0' };
  return { v: 1, call: 'judge', note, task, trace, expected: { ...expected, tolerance: 1e-6 } };
}

const verifies = (
  note: string,
  of: { prompt: string; gold: string; evaluation?: RewardTask['evaluation'] },
  reason?: string,
): DomainCase => ({
  ...{ v: 1, call: 'verify', note },
  task: { prompt: user(of.prompt), gold: of.gold, evaluation: of.evaluation ?? { kind: judgedByDomain }, plan: '' },
  expected: reason === undefined ? { verified: true } : { verified: false, reason },
});

const says = (content: string): Said => [{ role: 'assistant', content }];
const lines = (cases: readonly DomainCase[]): string => cases.map((one) => `${JSON.stringify(one)}\n`).join('');

const marbles = { prompt: 'Tom has 12 marbles and gives 5 away. How many has he?', gold: '7' };

export const questionCases = lines([
  parses('A story with its calculation', `${marbles.prompt}\n= 12 - 5`, '7'),
  rejects(
    'A number that the story does not say',
    'Tom has 12 marbles. How many has he?\n= 12 - 5',
    'is not in the story',
  ),
  verifies('A natural number', marbles),
  verifies('A negative number', { ...marbles, gold: '-7' }, 'no natural number'),
  judges('The last number is right', marbles, says('12 - 5 = 7.\nAnswer: 7'), { success: true, reward: 1 }),
  judges('The last number is wrong', marbles, says('7 marbles.\nAnswer: 8'), { success: false, reward: 0 }),
]);

/** @param space the separator after a colon in the language's JSON */
export function toolCases(space: '' | ' '): string {
  const comma = `,${space}`;
  const gold = `<tool_call>\n{"name":${space}"add_to_list"${comma}"arguments":${space}{"amount":${space}3${comma}"item":${space}"pears"}}\n</tool_call>`;
  const pears = { prompt: 'Add 3 pears.', gold };
  const calls = (amount: number): Said =>
    says(`<tool_call>{"name": "add_to_list", "arguments": {"item": "pears", "amount": ${amount}}}</tool_call>`);
  return lines([
    parses(
      'A request with its call',
      'Request: Add 3 pears.\nCall: {"name": "add_to_list", "arguments": {"item": "pears", "amount": 3}}',
      gold,
    ),
    rejects('No such tool', 'Request: Format the disk.\nCall: {"name": "format", "arguments": {}}', 'no such tool'),
    judges('The right call, its arguments in any order', pears, calls(3), { success: true, reward: 1 }),
    judges('The right tool, a wrong argument', pears, calls(4), { success: false, reward: 0.3 }),
    judges('No call', pears, says('I have added them.'), { success: false, reward: 0 }),
  ]);
}

const guess = { prompt: 'I have a number from 1 to 7. You have 2 guesses. Answer with a number alone.', gold: '5' };

export const gameCases = lines([
  parses('Three numbers', '7 5 2', '5'),
  rejects('The secret number is too large', '7 8 2', 'out of range'),
  judges('Won with the second guess', guess, [...says('3'), ...user('Higher.'), ...says('5'), ...user('Right!')], {
    success: true,
    reward: 0.9,
  }),
  judges('Lost', guess, [...says('3'), ...user('Higher.'), ...says('4'), ...user('No more guesses.')], {
    success: false,
    reward: 0,
  }),
]);

const codes = {
  js: {
    max: 'function solve(numbers) {\n  return Math.max(...numbers);\n}',
    first: 'function solve(numbers) {\n  return numbers[0];\n}',
    hangs: 'function solve() {\n  for (;;);\n}',
    tooLong: 'timed out',
  },
  python: {
    max: 'def solve(numbers):\n    return max(numbers)',
    first: 'def solve(numbers):\n    return numbers[0]',
    hangs: 'def solve(numbers):\n    while True:\n        pass',
    tooLong: 'more lines than it may',
  },
};

export function codeCases(language: 'js' | 'python'): string {
  const { max, first, hangs, tooLong } = codes[language];
  const fenced = (code: string): string => `\`\`\`${language}\n${code}\n\`\`\``;
  const prompt = 'solve(numbers) gives the largest of a list of numbers.';
  const tests = [
    { given: [[3, 9, 4]], gives: 9 },
    { given: [[-2]], gives: -2 },
    { given: [[8, 1]], gives: 8 },
  ];
  const evaluation = { kind: judgedByDomain, tests };
  const written = (code: string, of: readonly string[]): string =>
    `Problem: ${prompt}\nSolution:\n${fenced(code)}\nTests:\n${of.join('\n')}`;
  const problem = { prompt, gold: fenced(max), evaluation };
  return lines([
    parses(
      'A problem with a solution and tests',
      written(max, ['[[3, 9, 4]] -> 9', '[[-2]] -> -2', '[[8, 1]] -> 8']),
      fenced(max),
    ),
    rejects('Too few tests', written(max, ['[[3, 9, 4]] -> 9']), 'fewer than 3 tests'),
    rejects(
      'A test that is no JSON',
      written(max, ['[[3, 9, 4]] -> 9', 'solve(-2) = -2', '[[8, 1]] -> 8']),
      'a test is no',
    ),
    verifies('Its solution passes', problem),
    verifies('Its solution fails a test', { ...problem, gold: fenced(first) }, 'its own solution does not pass'),
    verifies('Its solution does not end', { ...problem, gold: fenced(hangs) }, tooLong),
    judges('All tests pass', problem, says(`Like this:\n${fenced(max)}`), { success: true, reward: 1 }),
    judges('Two of three tests pass', problem, says(fenced(first)), { success: false, reward: 1 / 3 }),
    judges('No code', problem, says('I would rather not.'), { success: false, reward: 0 }),
  ]);
}
