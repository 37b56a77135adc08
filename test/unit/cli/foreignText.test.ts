/** Every view with text of strangers in each of its fields: it is shown, and never makes a line of its own. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { scoreTable } from '../../../src/benchmarks/evaluate/scoreTable.ts';
import { problemLines } from '../../../src/cli/failure.ts';
import { frame } from '../../../src/cli/live/frame.ts';
import { liveState } from '../../../src/cli/live/liveState.ts';
import { auditLines } from '../../../src/features/audit/cli/showAudit.ts';
import { courseLines, type Course } from '../../../src/cli/show/epochs.ts';
import { evaluationLines } from '../../../src/features/evaluation/cli/showEvaluation.ts';
import { familyLines } from '../../../src/cli/show/families.ts';
import { jobLines } from '../../../src/cli/show/jobs.ts';
import { taskLines } from '../../../src/cli/show/tasks.ts';
import { traceLines } from '../../../src/cli/show/trace.ts';
import type { Printable } from '../../../src/cli/text/styled.ts';
import { emptyState } from '../../../src/engine/state.ts';
import type { Evaluation } from '../../../src/features/evaluation/node/evaluate.ts';
import { presets } from '../../../src/shared/experiment/presets.ts';
import type { Problem } from '../../../src/shared/experiment/problems/problem.ts';
import type { EventOf } from '../../../src/shared/journal/events.ts';
import type { Task } from '../../../src/shared/records/task.ts';
import type { Trace } from '../../../src/shared/records/trace.ts';
import { bytesOf } from '../../support/cli.ts';
import { epochSummary, journalOf } from '../../support/journal.ts';

const task: Task = {
  ...{ v: 1, id: 'id', family: 'family', epoch: 3, origin: 'generated', seed: 'seed', status: 'rejected' },
  ...{
    cause: 'schema',
    note: 'note',
    evaluation: { kind: 'exact' },
    gold: 'gold',
    complexity: { steps: 1 },
    plan: 'plan',
  },
  prompt: [{ role: 'user', content: 'content', name: 'name' }],
};
const trace: Trace = {
  ...{ v: 1, id: 'id', purpose: 'train', task: 'task', family: 'family', epoch: 3, version: 'version', sequences: [] },
  ...{ messages: [{ role: 'assistant', content: 'content', name: 'name' }], stopReason: 'stop' },
  verdict: {
    success: false,
    reward: 0.2,
    valid: true,
    note: 'note',
    error: 'error',
    output: 'output',
    parts: { a: 1 },
  },
};
const evaluation: Evaluation = {
  folder: 'folder',
  settings: {
    ...{ benchmark: 'BFCL', rule: 'bfcl', splits: ['split'], sample: 3, seed: 7, attempts: 2, temperature: 0.7 },
    ...{ maxTokens: 9, policy: { source: 'source', version: 'version' }, tasks: 1, digest: 'digest' },
  },
  outcomes: [
    {
      ...{ task: 'task', category: 'category', asked: 2, attempts: 1, successes: 1, errors: 0 },
      parts: {},
      checks: {},
    },
  ],
  ...{ problems: [], cutOff: 0, unjudged: { count: 1, causes: [{ cause: 'cause', count: 1 }] }, tokens: 1 },
  unofficial: [{ kind: 'files', split: 'split', patterns: ['pattern'] }],
  unanswered: { count: 2, causes: [{ cause: 'cause', count: 2 }] },
};
const scored = journalOf([{ successes: 5, attempts: 10 }]).find(
  (event): event is EventOf<'families.scored'> => event.type === 'families.scored',
);
assert.ok(scored);
const head: Course['head'] = {
  ...{ id: 'id', name: 'name', mode: 'coevolve', imported: null, endpoints: presets.embedded.endpoints, ending: null },
  ...{ state: 'paused', epoch: 1, current: 1, epochs: 2, startedAt: '2026-11-21T12:38:00.000Z' },
};
const problem: Problem = {
  ...{ file: 'file', line: 1, column: 2, field: 'field', message: 'message', remedy: 'remedy', severity: 'error' },
};
const experiment = { ...presets.embedded, name: 'name' };

/** Words of the program's own, which no file or server chooses. */
const own = new Set([
  'kind',
  'status',
  'origin',
  'purpose',
  'stopReason',
  'state',
  'mode',
  'startedAt',
  'severity',
  'type',
  'rule',
  'preset',
]);

/** Texts in a value, as ways to put another in their place. */
function* texts(value: object): Generator<(text: string) => void> {
  const fields: [string, unknown][] = Object.entries(value);
  for (const [key, inner] of fields) {
    if (typeof inner === 'string' && !own.has(key)) yield (text) => Reflect.set(value, key, text);
    else if (typeof inner === 'object' && inner !== null) yield* texts(inner);
  }
}

interface View {
  name: string;
  /** The view with `hostile` in the text of this number; null past the last. */
  lines: (at: number, hostile: string) => readonly Printable[] | null;
  /** Texts may have lines of their own. */
  paragraphs: boolean;
}
function view<T extends object>(
  name: string,
  value: T,
  of: (value: T) => readonly Printable[],
  paragraphs = false,
): View {
  const lines: View['lines'] = (at, hostile) => {
    const copy = structuredClone(value);
    const put = [...texts(copy)][at];
    put?.(hostile);
    return put === undefined ? null : of(copy);
  };
  return { name, lines, paragraphs };
}

const canvas = { width: 90 };
const views: readonly View[] = [
  view('tasks', { task, trace }, (of) => taskLines([{ task: of.task, traces: [of.trace] }], canvas)),
  view('a trace', { task, trace }, (of) => traceLines(of.trace, of.task, canvas), true),
  view('families', scored, (of) => familyLines(of, { alpha: 0.5, kMin: 0.1 }, canvas)),
  view('the course', { head, epochs: [epochSummary(1)], ending: 'ending' }, (of) =>
    courseLines({ ...of, validations: [], evaluations: [] }, { ...canvas, timezoneOffset: () => 0 }),
  ),
  view('jobs', { version: 'version', job: { id: 'id', metrics: { a: 1 } } }, (of) =>
    jobLines([{ ...of, epoch: 1, steps: 1, disagreements: null }], canvas),
  ),
  view('an evaluation', evaluation, (of) =>
    evaluationLines(of, scoreTable(of.outcomes, 'bfcl', [1], of.unofficial), 90),
  ),
  view('an audit', { examples: ['id'] }, (of) =>
    auditLines(
      {
        attempts: 1,
        unjudged: 0,
        checks: [{ name: 'length', words: 'words', hint: true, n: 1, value: 0, low: 0, high: 1, ...of }],
      },
      90,
    ),
  ),
  view('problems', problem, (of) => problemLines([of]), true),
  view('the live picture', { id: 'id', experiment }, (of) =>
    frame(liveState(of.id, of.experiment, emptyState, 0), 1, { width: 90, height: 20 }),
  ),
];

const obeyed =
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u061C\u200B\u200E\u200F\u2028\u2029\u202A-\u202E\u2066-\u2069\uFEFF]/;
const looks = /\u001B\[(?:1|2|22|3[1-9])m/g;

describe('text of strangers in a view of the command line', () => {
  const mark = fc.constantFrom(
    '\u001B]0;t\u0007',
    '\u001B[2J',
    '\u009B1A',
    '\u202E',
    '\u2067',
    '\u200B',
    '\r',
    '\n',
    'x',
  );
  const hostile = fc.array(mark, { minLength: 1, maxLength: 8 }).map((marks) => marks.join('ab'));
  for (const { name, lines, paragraphs } of views) {
    it(`steers nothing in ${name}`, () => {
      assert.ok(lines(0, 'a') !== null);
      fc.assert(
        fc.property(hostile, (text) => {
          for (let at = 0; ; at++) {
            const shown = lines(at, text);
            if (shown === null) return;
            for (const line of shown) {
              const bytes = bytesOf(line, { colours: true }).replace(looks, '');
              assert.doesNotMatch(bytes, obeyed);
              if (!paragraphs) assert.ok(!bytes.includes('\n'), `a line of its own: ${bytes}`);
            }
          }
        }),
        { numRuns: 20 },
      );
    });
  }
});
