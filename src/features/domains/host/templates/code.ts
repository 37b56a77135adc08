/** A new domain of problems of code: the agent's functions are run against tests, in TypeScript and JavaScript. */
import type { Dialect } from './dialect.ts';

export const code = ({
  ts,
  exported,
}: Dialect): string => `// A domain of code: the environment writes a problem with a solution and tests, the agent's code is run against the tests
// (docs/domains.md). Try it with: genenv check-domain THIS_FILE
${ts(`import type { AgentPrompt, Context, EnvironmentPrompt, Judge, Parse, Seeds, Task, Verify } from './genenv-domain';

/** One call of the function, and what it gives: any JSON. */
interface Test {
  given: unknown[];
  gives: unknown;
}
/** The part of Node's vm that is used here. */
interface Vm {
  createContext(globals: object | null, options: object): object;
  runInContext(code: string, context: object, options: object): unknown;
}
declare const process: { getBuiltinModule(name: 'node:vm'): Vm };

`)}// What a solution may take in all, in milliseconds. Its memory is held to reward.megabytes, with that of this file.
const timeout = 1000;

// The tests stand in the task's evaluation, where the agent does not read them; the first is shown as an example.
const task = (problem${ts(': string')}, solution${ts(': string')}, tests${ts(': Test[]')}) => ({
  prompt: problem,
  gold: fenced(solution),
  evaluation: { kind: 'domain', tests },
  difficulty: { tests: tests.length, lines: solution.trim().split('\\n').length, words: problem.split(/\\s+/).length },
});

const fenced = (code${ts(': string')})${ts(': string')} => \`\\\`\\\`\\\`js\\n\${code.trim()}\\n\\\`\\\`\\\`\`;
const line = ({ given, gives }${ts(': Test')})${ts(': string')} => \`\${JSON.stringify(given)} -> \${JSON.stringify(gives)}\`;
const testsOf = ({ evaluation }${ts(": Pick<Task, 'evaluation'>")})${ts(': Test[]')} =>
  (Array.isArray(evaluation.tests) ? evaluation.tests : []).map(({ given, gives }) => ({ given, gives }));

// Tasks to vary, and tasks that only validation measures.
${exported('seeds', 'Seeds')} (split) =>
  split === 'base'
    ? [
        task(
          'solve(numbers) gives the sum of the even ones of a list of numbers.',
          'function solve(numbers) {\\n  return numbers.filter((n) => n % 2 === 0).reduce((sum, n) => sum + n, 0);\\n}',
          [
            { given: [[1, 2, 4]], gives: 6 },
            { given: [[]], gives: 0 },
            { given: [[7, 9]], gives: 0 },
            { given: [[-2, 5, 10]], gives: 8 },
          ],
        ),
        task(
          'solve(text) gives the words of a text, which are separated by spaces, in reverse order.',
          "function solve(text) {\\n  return text.split(' ').reverse().join(' ');\\n}",
          [
            { given: ['one two three'], gives: 'three two one' },
            { given: ['alone'], gives: 'alone' },
            { given: ['b a'], gives: 'a b' },
          ],
        ),
      ]
    : [
        task('solve(n) gives the digits of a whole number as a list, the last one first.', 'function solve(n) {\\n  return [...String(n)].reverse().map(Number);\\n}', [
          { given: [120], gives: [0, 2, 1] },
          { given: [7], gives: [7] },
          { given: [31], gives: [1, 3] },
        ]),
      ];

// What the environment policy reads. \`target\` is α, the success rate that is wanted.
${exported('environmentPrompt', 'EnvironmentPrompt')} ({ seed, target, rejected }) =>
  \`Write one programming problem like the example, which a student solves in \${Math.round(100 * target)} % of tries.

Problem: \${seed.prompt[0]?.content}
Solution:
\${seed.gold}
Tests:
\${testsOf(seed).map(line).join('\\n')}

Write these three parts and nothing else: the problem in one line, a solution in JavaScript that is a function called solve, and
3 to 12 tests, each a line with the list of its arguments and what it gives, as JSON.\${again(rejected)}\`;

const again = (rejected${ts(": Context['rejected']")})${ts(': string')} =>
  rejected.flatMap(({ note }) => (note === '' ? [] : [\`\\nNot again: \${note}\`])).join('');

// Its text as a task.
${exported('parse', 'Parse')} (text) => {
  const form = /^\\s*Problem: ([^\\n]+)\\n+Solution:\\s*\\n\`\`\`\\w*\\n(.+?)\\n\`\`\`\\s*\\n+Tests:\\s*\\n(.+)$/s;
  const [, problem, solution, lines] = form.exec(text) ?? [];
  if (problem === undefined || solution === undefined || lines === undefined) {
    return { reject: 'it is no problem with a solution and tests below it' };
  }
  const tests = lines.trim().split('\\n').map(testOf);
  const read = tests.filter((test) => test !== null);
  if (read.length < tests.length) return { reject: 'a test is no list of arguments with what it gives' };
  if (read.length < 3 || read.length > 12) return { reject: 'it has fewer than 3 tests, or more than 12' };
  return task(problem.trim(), solution, read);
};

function testOf(text${ts(': string')})${ts(': Test | null')} {
  const [, given, gives] = /^(\\[.*\\]) -> (.+)$/.exec(text.trim()) ?? [];
  try {
    const read = { given: JSON.parse(given ?? ''), gives: JSON.parse(gives ?? '') };
    return Array.isArray(read.given) ? read : null;
  } catch {
    return null;
  }
}

// True, or why a task does not count: the solution is not believed, and the tests have to tell something.
${exported('verify', 'Verify')} (given) => {
  const tests = testsOf(given);
  const calls = tests.map((test) => JSON.stringify(test.given));
  if (new Set(calls).size < calls.length) return 'two tests are the same call';
  if (tests.every(({ gives }) => same(gives, tests[0]?.gives))) return 'all tests give the same';
  const { passed, why } = tried(given.gold ?? '', tests);
  return passed === tests.length || \`its own solution does not pass: \${why}\`;
};

${exported('agentPrompt', 'AgentPrompt')} (given) =>
  \`Write a function in JavaScript. \${given.prompt[0]?.content}

For example, with the list of its arguments: \${testsOf(given).slice(0, 1).map(line).join('')}

Answer with the function, called solve, in one fenced block of code.\`;

// Tests that pass are worth something: the agent learns from the reward, success counts in p̂.
${exported('judge', 'Judge')} (given, { answer }) => {
  const tests = testsOf(given);
  const { passed, why } = tried(answer, tests);
  const success = passed === tests.length;
  return { success, reward: success ? 1 : (0.5 * passed) / tests.length, parts: { passed }, note: why };
};

/** How many tests the last block of code in a text passes, and what it does first that is wrong. */
function tried(text${ts(': string')}, tests${ts(': Test[]')})${ts(': { passed: number; why: string }')} {
  const code = [...text.matchAll(/\`\`\`\\w*\\n(.*?)\`\`\`/gs)].at(-1)?.[1];
  if (code === undefined) return { passed: 0, why: 'there is no block of code' };
  try {
    const gave = ran(code, tests);
    const wrong = tests.findIndex(({ gives }, index) => !same(gave[index], gives));
    const passed = tests.filter(({ gives }, index) => same(gave[index], gives)).length;
    const test = tests[wrong];
    return { passed, why: test === undefined ? '' : \`it gives \${JSON.stringify(gave[wrong]) ?? 'nothing'} for \${line(test)}\` };
  } catch (error) {
    return { passed: 0, why: String(error).slice(0, 200) };
  }
}

/**
 * What the calls give. The code runs in a context of its own with JavaScript's objects alone, no Node; it is given the
 * arguments as a text and gives a text back, and what is expected stays outside. That keeps mistakes out, not malice.
 */
function ran(code${ts(': string')}, tests${ts(': Test[]')})${ts(': unknown[]')} {
  // A promise that is rejected, and that nothing waits for, would end the call and not the attempt.
  const later = /\\b(?:import|async|Promise|fromAsync)\\b/.exec(code)?.[0];
  if (later !== undefined) throw new Error(\`\${later} is closed to solutions\`);
  const vm = process.getBuiltinModule('node:vm');
  const options = { codeGeneration: { strings: false, wasm: false }, microtaskMode: 'afterEvaluate' };
  const context = vm.createContext(Object.create(null), options);
  vm.runInContext(code, context, { timeout });
  const calls = JSON.stringify(JSON.stringify(tests.map(({ given }) => given)));
  const called = \`JSON.stringify(JSON.parse(\${calls}).map((given) => {
    try { return [solve(...given)]; } catch (error) { return [{ threw: String(error) }]; }
  }))\`;
  const gave = vm.runInContext(called, context, { timeout });
  const read = typeof gave === 'string' ? JSON.parse(gave) : null;
  return Array.isArray(read) ? read.map((one) => (Array.isArray(one) ? one[0] : undefined)) : [];
}

/** Equal as JSON, numbers up to rounding, names in any order. */
function same(a${ts(': unknown')}, b${ts(': unknown')})${ts(': boolean')} {
  if (typeof a === 'number' && typeof b === 'number') return Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(b));
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  const [one, other] = [new Map(Object.entries(a)), new Map(Object.entries(b))];
  const alike = Array.isArray(a) === Array.isArray(b) && one.size === other.size;
  return alike && [...other].every(([name, value]) => one.has(name) && same(one.get(name), value));
}
`;
