/** `genenv tokens RUN --trace ID`: a table of an attempt's sampled tokens. */
import { resolve } from 'node:path';
import { writeJson, type Context } from '../../../cli/context.ts';
import { exitCode, type ExitCode } from '../../../cli/exitCode.ts';
import { stopAtInterrupt } from '../../../cli/interrupts.ts';
import { writeLines } from '../../../cli/terminal.ts';
import { onOneLine, type Printable } from '../../../cli/text/styled.ts';
import { table, type Column } from '../../../cli/text/table.ts';
import { UsageError } from '../../../cli/usageError.ts';
import { environmentKeys } from '../../../launch/access/keys.ts';
import { traceOfAnyone } from '../../../runs/records/traceOfAnyone.ts';
import { readManifest } from '../../evaluation/node/evaluationFolder.ts';
import type { Figure, ShownToken, ShownTokens } from '../contract.ts';
import { whyWords } from '../core/words.ts';
import { tokensOf } from '../node/tokensOf.ts';
import { tokensOfAnswer } from '../node/tokensOfAnswer.ts';
import { fixed, magnitude } from '../../../shared/text/figures/numbers.ts';

export async function tokensCommand(context: Context): Promise<ExitCode> {
  const { terminal, store, arguments: given, dist } = context;
  const id = given.text('trace');
  if (id === null) throw new UsageError('"genenv tokens" needs --trace ID.', 'Ids stand in “genenv search”.');
  const interrupts = stopAtInterrupt(terminal);
  const log = { info: () => undefined, warn: (message: string) => terminal.err.write(`${message}\n`) };
  // Only weights in files are read: no server is asked, so no key is needed.
  const tools = { dist, clock: terminal, keys: environmentKeys({}), log, signal: interrupts.signal };
  const version = given.text('by');
  const tell = (shown: ShownTokens): ExitCode => {
    if (given.has('json')) writeJson(terminal, shown);
    else writeLines(terminal.out, linesOf(shown, terminal.out.isTTY ? terminal.out.columns : Infinity));
    return exitCode.done;
  };
  const folder = resolve(terminal.cwd, given.target);
  if ((await readManifest(folder)) !== null) {
    try {
      const shown = await tokensOfAnswer({ folder, trace: id, version }, tools);
      if (shown !== null) return tell(shown);
      throw new UsageError(`This evaluation has no answer "${id}".`, 'Its answers.jsonl has their ids: b0/q1/r0.');
    } finally {
      interrupts.dispose();
    }
  }
  const run = await store.openReader(given.target);
  try {
    const trace = await traceOfAnyone(run, id);
    if (trace === undefined) {
      const remedy = 'Traces are named like e3/e3.f2.v1/r0: epoch, task, attempt.';
      throw new UsageError(`This run has no trace "${id}".`, remedy);
    }
    const beside = await run.attemptsAt(trace.task, trace.epoch);
    const group = beside.filter(({ purpose }) => purpose === trace.purpose);
    return tell(await tokensOf(run, { trace, group, version }, tools));
  } finally {
    interrupts.dispose();
    await run.close();
  }
}

interface Row {
  turn: string;
  token: ShownToken;
}

const unknown = '–';
const figure = (value: number | null, digits = 3): string => (value === null ? unknown : fixed(value, digits));

const columnsFor = ({ other }: ShownTokens): Column<Row>[] => [
  { title: 'turn', cell: ({ turn }) => turn, right: true },
  { title: 'token', cell: ({ token }) => onOneLine(token.text ?? `#${token.id}`) },
  { title: 'logprob', cell: ({ token }) => figure(token.sampled), right: true },
  { title: 'entropy', cell: ({ token }) => figure(token.entropy), right: true },
  { title: other ?? 'other', cell: ({ token }) => figure(token.now), right: true },
  { title: 'ratio', cell: ({ token }) => figure(token.ratio), right: true },
  { title: 'advantage', cell: ({ token }) => figure(token.advantage, 2), right: true },
  { title: 'clip', cell: ({ token }) => token.clip ?? unknown },
];

const named: Record<Figure, string> = {
  text: 'Texts of tokens',
  sampled: 'Log-probabilities as sampled',
  entropy: 'Entropies',
  now: 'Log-probabilities of another version',
  advantage: 'Advantages',
  clip: 'Clipped tokens',
};

const withoutWords: Record<NonNullable<ShownTokens['without']>, string> = {
  counted: 'Its server returned no token ids.',
  'not-kept': 'No tokens are kept of this attempt.',
  person: 'A person made this attempt: what people write has no tokens and no log-probabilities.',
  written: 'This answer was not sampled by a model: it has no tokens.',
  older: 'Its evaluation kept no tokens: it is older, or its server told none. Evaluate again to have them.',
};

function linesOf(shown: ShownTokens, width: number): Printable[] {
  const { answers, without, sampledBy, recomputed, shaped } = shown;
  const head = onOneLine(`${shown.trace}  sampled by ${sampledBy}  reward ${fixed(shown.reward, 2)}`);
  if (without !== null) {
    return [head, withoutWords[without]];
  }
  const rows = answers.flatMap(({ turn, tokens }, i) =>
    tokens.map((token): Row => ({ turn: String((turn ?? i) + 1), token })),
  );
  const reasons = Object.entries(named).flatMap(([key, name]) => {
    const why = Object.entries(shown.why).find(([one]) => one === key)?.[1];
    return why === undefined ? [] : [onOneLine(`${name} are not known: ${whyWords(why, shown)}.`)];
  });
  return [
    head,
    '',
    ...table(columnsFor(shown), rows, width),
    '',
    ...(recomputed === null
      ? []
      : [`${sampledBy} gives the recorded log-probabilities again, to ${magnitude(recomputed)}.`]),
    ...(shaped ? ['The update also shaped advantages by agent.klCoefficient, which is not shown.'] : []),
    ...reasons,
  ];
}
