/** `genenv play RUN --task ID`: a person attempts a task, turn by turn, on standard input. */
import { userInfo } from 'node:os';
import { cliKeys } from '../../../cli/consent/cliKeys.ts';
import { writeJson, type Context } from '../../../cli/context.ts';
import { exitCode, type ExitCode } from '../../../cli/exitCode.ts';
import { stopAtInterrupt } from '../../../cli/interrupts.ts';
import { writeLines } from '../../../cli/terminal.ts';
import { rate } from '../../../shared/text/figures/numbers.ts';
import { style } from '../../../cli/text/style.ts';
import { styled, type Printable } from '../../../cli/text/styled.ts';
import { UsageError } from '../../../cli/usageError.ts';
import { toolsOf } from '../../../launch/domains/toolsOf.ts';
import type { Message } from '../../../shared/records/message.ts';
import type { Task } from '../../../shared/records/task.ts';
import type { Trace } from '../../../shared/records/trace.ts';
import { beginPlay, continuedPlay, keepDraft, playOn } from '../node/play.ts';
import { TurnsTyped } from '../../../cli/text/turnsTyped.ts';

export async function playCommand(context: Context): Promise<ExitCode> {
  const { terminal, store, arguments: given, dist } = context;
  const [task, left] = [given.text('task'), given.text('continue')];
  if ((task === null) === (left === null)) {
    throw new UsageError('"genenv play" needs --task ID or --continue ID.', 'Ids of tasks stand in “genenv show”.');
  }
  const asJson = given.has('json');
  // With --json standard output is the record alone.
  const told = asJson ? terminal.err : terminal.out;
  const tell = (lines: readonly Printable[]): void => writeLines(told, lines);
  const interrupts = stopAtInterrupt(terminal);
  const leaving = new AbortController();
  const signal = AbortSignal.any([interrupts.signal, leaving.signal]);
  const typed = new TurnsTyped(process.stdin);
  const run = await store.openReader(given.target);
  try {
    const open =
      left === null
        ? await beginPlay(run, task ?? '', userInfo().username, { now: () => terminal.now() })
        : await continuedPlay(run, left);
    const { play } = open;
    typed.begin(play.draft);
    tell(toolLines(open.task));
    let shown = 0;
    const ended = await playOn(run, open, {
      ...{ dist, clock: terminal, keys: await cliKeys(context), signal },
      log: { info: () => undefined, warn: (message) => terminal.err.write(`${message}\n`) },
      ask: async ({ messages, turn }, until) => {
        tell(messages.slice(Math.min(shown, messages.length - 1)).flatMap(messageLines));
        const kept = typed.draft === '' ? [] : [`  ${typed.draft}`];
        tell(['', styled`${style.accent(`Your turn ${turn + 1}`)}  A line with a single “.” sends it.`, ...kept]);
        const text = await typed.next(until);
        if (text === null) {
          leaving.abort(new Error('The input has ended.'));
          signal.throwIfAborted();
        }
        shown = messages.length + 1;
        return text ?? '';
      },
    });
    if (ended.trace === null) {
      await keepDraft(run, play, typed.draft);
      const kept = ended.turns.length > 0 || typed.draft !== '';
      tell(['', kept ? `Kept. Continue with: genenv play ${run.id} --continue ${play.id}` : 'Nothing was written.']);
    } else tell(endLines(ended.trace));
    if (asJson) writeJson(terminal, ended);
    return ended.trace === null ? exitCode.paused : exitCode.done;
  } finally {
    interrupts.dispose();
    typed.close();
    await run.close();
  }
}

function toolLines(task: Task): Printable[] {
  const tools = toolsOf(task);
  if (tools.length === 0) return [];
  return [
    style.accent('tools'),
    ...tools.map(({ name, description, parameters }) => `  ${name}  ${description}\n    ${JSON.stringify(parameters)}`),
  ];
}

const messageLines = ({ role, name, content }: Message): Printable[] => [
  '',
  style.accent(name === undefined ? role : `${role} ${name}`),
  content,
];

/** The tools' answers to the last turn, and the verdict. */
function endLines({ id, messages, verdict }: Trace): Printable[] {
  const last = messages.findLastIndex(({ role }) => role === 'assistant');
  const word = verdict.error !== undefined ? 'The checker failed' : verdict.success ? 'Solved' : 'Not solved';
  const note = verdict.error ?? verdict.note;
  return [
    ...messages.slice(last + 1).flatMap(messageLines),
    '',
    `${word}, reward ${rate(verdict.reward)}${note === undefined ? '' : `: ${note}`}.`,
    `Kept as ${id}.`,
  ];
}
