/** `list_traces`, `read_trace` and `search_traces`. */
import * as z from 'zod';
import { traceFlags } from '../../../../runs/index/recordKind.ts';
import { hashOf } from '../../../../runs/index/recordRow.ts';
import { traceOfAnyone } from '../../../../runs/records/traceOfAnyone.ts';
import type { RunReader } from '../../../../runs/store/runReader.ts';
import { append } from '../../../../shared/append.ts';
import { outOfRange } from '../../../../shared/outOfRange.ts';
import { allSaid } from '../../../../shared/records/conversations.ts';
import type { Message } from '../../../../shared/records/message.ts';
import type { Trace } from '../../../../shared/records/trace.ts';
import { withMarksShown } from '../../../../shared/text/hiddenMarks.ts';
import { fenced } from '../../../../shared/text/markdown.ts';
import type { SearchHit, SearchSummary } from '../../../search/contract/searchHit.ts';
import { readTraceQuery } from '../../../search/contract/traceQuery.ts';
import { searchRun } from '../../../search/node/searchRun.ts';
import { AgentError } from '../../core/agentError.ts';
import { numberText } from '../../core/figures.ts';
import { dataBlock, dataNotice, named, table } from '../../core/quoting.ts';
import { page, restOf, tool } from '../../core/tool.ts';
import type { AgentContext } from '../agentContext.ts';
import { runField } from './runs.ts';
import { pageOfRows } from './tasks.ts';

const purposes = ['train', 'validation', 'rank', 'benchmark'] as const;

export const listTraces = tool({
  name: 'list_traces',
  title: 'List Traces',
  description:
    'Lists attempts of a run, the newest first, by epoch, task, purpose and verdict. To find words in them use search_traces.',
  does: 'read',
  input: z.strictObject({
    run: runField,
    epoch: z.int().nonnegative().optional(),
    task: z.string().max(500).optional().describe('Only attempts at this task.'),
    purpose: z.enum(purposes).optional(),
    verdict: z.enum(['solved', 'failed', 'error']).optional(),
    ...page,
  }),
  answer: (context: AgentContext, asked) =>
    context.withRun(asked.run, async (run) => {
      const { traces: columns } = await run.rows();
      const task = asked.task === undefined ? null : hashOf(asked.task);
      const purpose = asked.purpose === undefined ? null : purposes.indexOf(asked.purpose);
      const fits = (row: number): boolean => {
        const flags = columns.flags[row] ?? outOfRange();
        return (
          (asked.epoch === undefined || columns.epoch[row] === asked.epoch) &&
          (task === null || (columns.taskLow[row] === task.low && columns.taskHigh[row] === task.high)) &&
          (purpose === null || ((flags >>> traceFlags.purposeShift) & 3) === purpose) &&
          (asked.verdict === undefined || verdictOf(flags) === asked.verdict)
        );
      };
      const { rows, count } = pageOfRows(columns, fits, { ...asked, newest: true });
      const traces: Trace[] = [];
      for (const row of rows) {
        const trace = await run.traceAt(row);
        if (trace !== undefined) traces.push(trace);
      }
      if (traces.length === 0) return ['No trace fits.', ...restOf(count, { from: asked.from, shown: 0 })].join('\n');
      const lines = traces.map((trace) => [
        context.link(trace.id, { run: run.id, trace: trace.id }),
        named(trace.task),
        judged(trace),
        numberText(trace.verdict.reward),
        named(trace.version),
        trace.stopReason,
      ]);
      return [
        ...table(['trace', 'task', 'verdict', 'reward', 'agent', 'ended by'], lines),
        '',
        ...restOf(count, { from: asked.from, shown: rows.length }),
        dataNotice,
      ].join('\n');
    }),
});

const verdictOf = (flags: number): 'solved' | 'failed' | 'error' =>
  (flags & traceFlags.unjudged) !== 0 ? 'error' : (flags & traceFlags.success) === 0 ? 'failed' : 'solved';

const judged = ({ verdict }: Trace): string =>
  verdict.error !== undefined ? 'error' : verdict.success ? 'solved' : 'failed';

export const readTrace = tool({
  name: 'read_trace',
  title: 'Read a Trace',
  description:
    'One attempt: its turns as they were said, a page of them at a time, and its verdict with the parts of the reward.',
  does: 'read',
  input: z.strictObject({
    run: runField,
    trace: z.string().min(1).max(500).describe('Id of the trace, like e3/e3.f2.v1/r0.'),
    from: z.int().nonnegative().default(0).describe('First turn to show, from 0.'),
    limit: z.int().min(1).max(50).default(10).describe('Turns to show, 1 to 50.'),
    characters: z.int().min(100).max(20_000).default(3000).describe('Characters of each turn, 100 to 20000.'),
  }),
  answer: (context: AgentContext, asked) =>
    context.withRun(asked.run, async (run) => {
      const trace = await traceOfAnyone(run, asked.trace);
      if (trace === undefined) {
        throw new AgentError(
          'not-found',
          `The run ${run.id} has no trace “${named(asked.trace)}”.`,
          'Traces are named like e3/e3.f2.v1/r0: epoch, task, attempt; list_traces names them.',
        );
      }
      return traceLines(context, run, trace, asked).join('\n');
    }),
});

function traceLines(
  context: AgentContext,
  run: RunReader,
  trace: Trace,
  { from, limit, characters }: { from: number; limit: number; characters: number },
): string[] {
  const { verdict } = trace;
  const said = allSaid(trace);
  const shown = said.slice(from, from + limit);
  const parts = Object.entries({ ...verdict.parts, ...verdict.checks });
  return [
    `# Trace ${context.link(trace.id, { run: run.id, trace: trace.id })}`,
    '',
    `Task ${context.link(trace.task, { run: run.id, task: trace.task })}, ${trace.purpose}, epoch ${trace.epoch}, agent ${named(trace.version)}, ended by ${trace.stopReason}.`,
    `Verdict: ${judged(trace)}, reward ${numberText(verdict.reward)}${verdict.valid ? '' : ', not valid'}.`,
    ...(parts.length === 0
      ? []
      : [
          `Parts: ${parts.map(([name, value]) => `${named(name)} ${typeof value === 'number' ? numberText(value) : value ? 'met' : 'not met'}`).join(', ')}.`,
        ]),
    ...shown.flatMap((message, i) => turnLines(message, from + i + 1, characters)),
    ...restOf(said.length, { from, shown: shown.length }),
    ...[verdict.note, verdict.error].flatMap((note) =>
      note === undefined ? [] : dataBlock('Note of the verdict', note, characters),
    ),
    ...(verdict.output === undefined ? [] : dataBlock('Printed by the reward', verdict.output, characters)),
    '',
    dataNotice,
  ];
}

/** @param turn from 1, as the editor numbers it */
function turnLines({ role, name, content, reasoning }: Message, turn: number, characters: number): string[] {
  const who = `Turn ${turn}, ${role}${name === undefined ? '' : ` ${named(name)}`}`;
  return [
    ...(reasoning === undefined ? [] : dataBlock(`${who}, reasoning`, reasoning, characters)),
    ...dataBlock(who, content, characters),
  ];
}

export const searchTraces = tool({
  name: 'search_traces',
  title: 'Search Traces',
  description:
    'Searches what was said in the attempts of a run, and the prompts of its tasks, the newest first. The query has ' +
    'words and fields: epoch, len, reward, part.NAME with : < > and ranges (2..5); verdict (solved, failed, error), ' +
    'purpose, stop, valid, tool, note, label (people’s: pass, fail, disputed, or a word of theirs), by (person, policy, or a name); task, family, ' +
    'domain, trace, version (* is any text). A - before a term excludes it. ' +
    'Example: verdict:fail epoch:3.. tool:search "time out".',
  does: 'read',
  input: z.strictObject({
    run: runField,
    query: z.string().min(1).max(2000),
    limit: z.int().min(1).max(50).default(10).describe('Hits to show, 1 to 50.'),
  }),
  answer: (context: AgentContext, asked) =>
    context.withRun(asked.run, async (run) => {
      const read = readTraceQuery(asked.query);
      if (!('query' in read)) {
        const { at, message } = read.problem;
        throw new AgentError(
          'bad-input',
          `The query cannot be read at “${named(asked.query.slice(at))}”: ${message}`,
          'Correct it and search again.',
        );
      }
      const hits: SearchHit[] = [];
      const { signal } = new AbortController();
      const found = searchRun(run.dir, read.query, context.runContext, { signal, limit: asked.limit });
      for (let next = await found.next(); ; next = await found.next()) {
        if (next.done === true) return hitLines(context, run, hits, next.value).join('\n');
        append(hits, next.value);
      }
    }),
});

function hitLines(
  context: AgentContext,
  run: RunReader,
  hits: readonly SearchHit[],
  { limited }: SearchSummary,
): string[] {
  if (hits.length === 0) return ['Nothing fits this query.'];
  return [
    ...hits.flatMap((hit) => {
      const [target, facts] =
        hit.kind === 'trace'
          ? [{ trace: hit.trace }, `${hit.verdict}, reward ${numberText(hit.reward)}, epoch ${hit.epoch}`]
          : [
              { task: hit.task },
              `prompt of a task, epoch ${hit.epoch}${hit.readIn === undefined ? '' : `, as read in ${named(hit.readIn)}`}`,
            ];
      const snippets = hit.matches.slice(0, 3).map(({ turn, snippet }) => `turn ${turn}: ${snippet.text}`);
      const more = hit.more + hit.matches.length - snippets.length;
      return [
        `- ${context.link(hit.kind === 'trace' ? hit.trace : hit.task, { run: run.id, ...target })}: ${facts}${more === 0 ? '' : `, ${more} more matches`}`,
        ...(snippets.length === 0 ? [] : [fenced(withMarksShown(snippets.join('\n')))]),
      ];
    }),
    '',
    ...(limited ? ['There are more: raise limit, or make the query narrower.'] : []),
    dataNotice,
  ];
}
