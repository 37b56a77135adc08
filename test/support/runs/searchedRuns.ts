/** Runs to be searched, and what a search must find, told by looking at every record. */
import fc from 'fast-check';
import { nodeFiles } from '../../../src/runs/files/fileOperations.ts';
import { searchRun } from '../../../src/features/search/node/searchRun.ts';
import { extendTextIndexes } from '../../../src/features/search/node/textIndexes.ts';
import type { Message } from '../../../src/shared/records/message.ts';
import type { Task } from '../../../src/shared/records/task.ts';
import type { Trace } from '../../../src/shared/records/trace.ts';
import { intervalOf, lies, parseQuery, type Term } from '../../../src/features/search/contract/query.ts';
import type { SearchHit } from '../../../src/features/search/contract/searchHit.ts';
import { readTraceQuery } from '../../../src/features/search/contract/traceQuery.ts';
import { makeTask, makeTrace } from './records.ts';
import type { RunContext } from '../../../src/runs/store/runContext.ts';

export const searchContext: RunContext = {
  clock: { now: () => 0 },
  log: { info: () => undefined, warn: () => undefined },
  files: nodeFiles,
};

const words = [
  'Timeout',
  'timeouts',
  'refund',
  'stra\u00dfe',
  'K\u212Belvin',
  'a"b\\c',
  'line\nbreak',
  'tool_x(1)',
  'e1',
  '\u{1F600}',
  '</s>',
  'it’s',
];
const text = fc.array(fc.constantFrom(...words), { maxLength: 6 }).map((some) => some.join(' '));
const message: fc.Arbitrary<Message> = fc.oneof(
  fc.record({ role: fc.constant('assistant' as const), content: text }),
  fc.record({ role: fc.constant('assistant' as const), content: text, reasoning: text }),
  fc.record({ role: fc.constant('tool' as const), content: text, name: fc.constantFrom('search', 'tool_x') }),
);

/** Traces whose ids do not meet. */
export const someTraces = (most: number): fc.Arbitrary<Trace[]> =>
  fc
    .array(
      fc.record({
        epoch: fc.nat(3),
        task: fc.constantFrom('e1.f0.v0', 'e1.f1.v2', 'base.3'),
        version: fc.constantFrom('agent@0', 'agent@3'),
        purpose: fc.constantFrom('train' as const, 'validation' as const),
        stopReason: fc.constantFrom('stop' as const, 'length' as const, 'turns' as const),
        messages: fc.array(message, { maxLength: 4 }),
        tokens: fc.nat(6),
        success: fc.boolean(),
        reward: fc.constantFrom(0, 0.2, 1),
        valid: fc.boolean(),
        part: fc.constantFrom(0.25, 0.75),
        failed: fc.boolean(),
      }),
      { minLength: 1, maxLength: most },
    )
    .map((all) =>
      all.map(({ tokens, success, reward, valid, part, failed, ...own }, i) =>
        makeTrace({
          ...own,
          id: `e${own.epoch}/${own.task}/r${i}`,
          family: own.task.split('.').slice(0, 2).join('.'),
          sequences: [{ tokens: [1, ...own.messages.map(() => 2)], spans: [[0, tokens]], logprobs: [] }],
          verdict: { success, reward, valid, parts: { Form: part }, ...(failed ? { error: 'Timeout' } : {}) },
        }),
      ),
    );

export const someTasks: fc.Arbitrary<Task[]> = fc.array(text, { maxLength: 12 }).map((prompts) =>
  prompts.map((content, i) =>
    makeTask({
      id: `e${i % 3}.f${i}.v0`,
      family: `e${i % 3}.f${i}`,
      epoch: i % 3,
      prompt: [{ role: 'user', content }],
    }),
  ),
);

/** Queries that can be read. */
export const someQuery: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        'timeout',
        'TIMEOUTS',
        '"a\\"b"',
        'stra',
        'STRASSE',
        'k\u212B',
        '\u{1F600}',
        '-refund',
        're',
        '"</s>"',
        'content',
        '-e1',
      ),
      fc.constantFrom('epoch:1', 'epoch:1..2', '-epoch:0', 'verdict:fail', 'verdict:solved', '-verdict:error', 'len>2'),
      fc.constantFrom(
        'reward<0.5',
        'purpose:train',
        'stop:length',
        'valid:no',
        'valid:yes',
        'part.form>0.5',
        'tool:search',
      ),
      fc.constantFrom('tool:tool_x', '-tool:search', 'task:base.3', 'family:e1.*', '-family:e1.f0', 'version:agent@3'),
    ),
    { maxLength: 4 },
  )
  .map((terms) => terms.join(' '));

/** Every hit of a search, as its record's id and the place of each match. */
export async function searched(dir: string, text: string, limit = Infinity): Promise<string[]> {
  const read = readTraceQuery(text);
  if ('problem' in read) throw new Error(read.problem.message);
  const hits: SearchHit[] = [];
  const { signal } = new AbortController();
  for await (const some of searchRun(dir, read.query, searchContext, { signal, limit })) hits.push(...some);
  return hits.map((hit) => {
    for (const { start, end, snippet } of hit.matches) {
      if (snippet.end - snippet.start > end - start) throw new Error(`The snippet marks too much: ${snippet.text}`);
    }
    return hit.kind === 'trace' ? hit.trace : `task ${hit.task}`;
  });
}

export async function buildTextIndexes(dir: string): Promise<void> {
  await extendTextIndexes(dir, searchContext, () => Promise.resolve());
}

/** The expected hits of a search, in its order. */
export function scanned(traces: readonly Trace[], tasks: readonly Task[], query: string): string[] {
  const parsed = parseQuery(query);
  if ('problem' in parsed) throw new Error(parsed.problem.message);
  const { terms } = parsed;
  const found = traces.toReversed().filter((trace) => terms.every((term) => fits(term, trace) !== term.negated));
  const asksForText = terms.some((term) => term.kind === 'text' && !term.negated);
  const ofTasks = terms.every((term) => term.kind === 'text' || ['epoch', 'task', 'family'].includes(term.field));
  const prompts = tasks.toReversed().filter((task) => {
    const likeTrace = makeTrace({ epoch: task.epoch, task: task.id, family: task.family, messages: task.prompt });
    return terms.every((term) => fits(term, likeTrace) !== term.negated);
  });
  return [...found.map(({ id }) => id), ...(asksForText && ofTasks ? prompts.map(({ id }) => `task ${id}`) : [])];
}

function fits(term: Term, trace: Trace): boolean {
  const said = trace.messages.flatMap(({ content, reasoning = '' }) => [content, reasoning]);
  if (term.kind === 'text') return said.some((one) => holds(one, term.text));
  const { field, comparison, value } = term;
  const within = (number: number): boolean => {
    const interval = intervalOf(comparison, value);
    if (interval === null) throw new Error(value);
    return lies(number, interval);
  };
  const { verdict } = trace;
  const [span] = trace.sequences[0]?.spans ?? [];
  const named = (name: string): boolean => (value.endsWith('*') ? name.startsWith(value.slice(0, -1)) : name === value);
  switch (field) {
    case 'epoch':
      return within(trace.epoch);
    case 'len':
      return within(span === undefined ? 0 : span[1] - span[0]);
    case 'reward':
      return within(verdict.reward);
    case 'verdict':
      return (verdict.error !== undefined ? 'error' : verdict.success ? 'solved' : 'fail') === value;
    case 'purpose':
      return trace.purpose === value;
    case 'stop':
      return trace.stopReason === value;
    case 'valid':
      return verdict.valid === (value === 'yes');
    case 'part.form':
      return within(verdict.parts?.['Form'] ?? NaN);
    case 'tool':
      return trace.messages.some(({ role, name, content }) =>
        role === 'tool' ? name === value : content.split(/[^\w-]/).includes(value),
      );
    case 'task':
      return named(trace.task);
    case 'family':
      return named(trace.family);
    case 'version':
      return named(trace.version);
    default:
      throw new Error(field);
  }
}

/** Letter for letter; only the cases of one letter are the same, not letters that look alike (the Kelvin sign and k). */
function holds(text: string, word: string): boolean {
  const same = (a: string, b: string): boolean =>
    a === b || (a.toLowerCase() === b.toLowerCase() && a < '\u0080' === b < '\u0080');
  const starts = Array.from({ length: Math.max(0, text.length - word.length + 1) }, (_, at) => at);
  return starts.some((at) => word.split('').every((letter, i) => same(text.charAt(at + i), letter)));
}
