/** `genenv search RUN QUERY`: hits as they are found, the newest first. */
import { nodeFiles } from '../../../runs/files/fileOperations.ts';
import { searchRun } from '../node/searchRun.ts';
import type { SearchHit, SearchMatch, SearchSummary } from '../contract/searchHit.ts';
import { readTraceQuery, type TraceQuery } from '../contract/traceQuery.ts';
import type { Context } from '../../../cli/context.ts';
import { exitCode, type ExitCode } from '../../../cli/exitCode.ts';
import { writeLines } from '../../../cli/terminal.ts';
import { plural } from '../../../shared/text/figures/numbers.ts';
import { style } from '../../../cli/text/style.ts';
import { onOneLine, Styled, styled, type Printable } from '../../../cli/text/styled.ts';
import { UsageError } from '../../../cli/usageError.ts';

export async function search(context: Context): Promise<ExitCode> {
  const { terminal, store, arguments: given } = context;
  const query = queryOf(given.rest.join(' '));
  const limit = given.count('limit') ?? Infinity;
  const log = { info: () => undefined, warn: (line: string) => terminal.err.write(`${line}\n`) };
  const { signal } = new AbortController();
  const reader = await store.openReader(given.target);
  await reader.close();
  const found = searchRun(reader.dir, query, { clock: terminal, log, files: nodeFiles }, { signal, limit });
  for (let next = await found.next(); ; next = await found.next()) {
    if (next.done === true) {
      if (!given.has('json')) terminal.err.write(`${summaryLine(next.value)}\n`);
      return exitCode.done;
    }
    const lines = next.value.flatMap((hit) => (given.has('json') ? [Styled.json(JSON.stringify(hit))] : hitLines(hit)));
    writeLines(terminal.out, lines);
  }
}

/** @throws UsageError that shows where it cannot be read */
function queryOf(text: string): TraceQuery {
  if (text.trim() === '')
    throw new UsageError('"genenv search" needs a QUERY.', "For example: 'verdict:fail timeout'.");
  const read = readTraceQuery(text);
  if ('query' in read) return read.query;
  const { at, message } = read.problem;
  throw new UsageError(`The query cannot be read at “${text.slice(at)}”:`, message);
}

function hitLines(hit: SearchHit): Printable[] {
  const head =
    hit.kind === 'trace'
      ? styled`${style.bold(onOneLine(hit.trace))}  ${verdictText(hit.verdict)} ${hit.reward}  ${style.dim(onOneLine(hit.version))}`
      : styled`${style.bold(onOneLine(hit.task))}  ${style.dim(readIn(hit))}`;
  const more = hit.more === 0 ? [] : [style.dim(`  and ${hit.more} more`)];
  return [head, ...hit.matches.map((match) => matchLine(match)), ...more];
}

const readIn = ({ readIn: trace }: Extract<SearchHit, { kind: 'task' }>): Printable =>
  trace === undefined ? 'task' : onOneLine(`task, as read in ${trace}`);

function verdictText(verdict: 'solved' | 'failed' | 'error'): Styled {
  return verdict === 'solved' ? style.good(verdict) : verdict === 'failed' ? style.bad(verdict) : style.warn(verdict);
}

function matchLine({ turn, of, snippet: { text, start, end } }: SearchMatch): Styled {
  const place = style.dim(`turn ${turn + 1}${of === 'reasoning' ? ', reasoning' : ''}`);
  return onOneLine(
    styled`  ${place}: ${text.slice(0, start)}${style.accent(text.slice(start, end))}${text.slice(end)}`,
  );
}

function summaryLine({ traces, tasks, limited }: SearchSummary): string {
  const found = [plural(traces, 'trace'), ...(tasks === 0 ? [] : [plural(tasks, 'task')])].join(', ');
  return limited ? `${found}; there are more.` : `${found}.`;
}
