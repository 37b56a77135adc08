/** `genenv talk RUN`: a person writes on standard input, one or two policies answer. */
import { resolve } from 'node:path';
import { cliKeys } from '../../../cli/consent/cliKeys.ts';
import { writeJson, type Context } from '../../../cli/context.ts';
import { exitCode, type ExitCode } from '../../../cli/exitCode.ts';
import { TurnsTyped } from '../../../cli/text/turnsTyped.ts';
import { stopAtInterrupt } from '../../../cli/interrupts.ts';
import { writeLines } from '../../../cli/terminal.ts';
import { rate } from '../../../shared/text/figures/numbers.ts';
import { style } from '../../../cli/text/style.ts';
import { onOneLine, styled, type Printable } from '../../../cli/text/styled.ts';
import type { Message } from '../../../shared/records/message.ts';
import { awaitsPrompt, notesOf, type Talk } from '../core/talk.ts';
import { Talker } from '../node/talker.ts';
import { givenTalk, keptIn } from './givenTalk.ts';

export async function talkCommand(context: Context): Promise<ExitCode> {
  const { terminal, store, arguments: given, dist } = context;
  const file = given.text('file');
  const path = file === null ? null : resolve(terminal.cwd, file);
  const told = given.has('json') ? terminal.err : terminal.out;
  const tell = (lines: readonly Printable[]): void => writeLines(told, lines);
  const interrupts = stopAtInterrupt(terminal);
  const { signal } = interrupts;
  const typed = new TurnsTyped(process.stdin);
  const run = await store.openReader(given.target);
  const talker = new Talker(run, {
    ...{ dist, clock: terminal, keys: await cliKeys(context), signal },
    log: { info: () => undefined, warn: (message) => terminal.err.write(`${message}\n`) },
  });
  try {
    let talk = await givenTalk(run, given, path);
    const keep = async (after: Talk): Promise<void> => {
      talk = path === null ? after : await keptIn(path, given, { before: talk, after });
    };
    tell((await talker.promptOf(talk)).flatMap(messageLines));
    for (const at of talk.exchanges.keys()) tell([...yourLines(talk, at), ...answerLines(talk, at)]);
    for (;;) {
      const own = awaitsPrompt(talk);
      if (!own) tell(['', styled`${style.accent('You')}  A line with a single “.” sends it.`]);
      const you = own ? null : await typed.nextOrRest(signal);
      if (you === null && !own) break;
      const answered = await talker.answer(talk, you, signal);
      await keep(answered.talk);
      tell(answerLines(talk, talk.exchanges.length - 1));
      for (const failure of answered.failures) if (failure !== null) terminal.err.write(`${failure}\n`);
    }
    if (given.has('judge')) {
      await keep(await talker.judge(talk, signal));
      tell(verdictLines(talk));
    }
    if (given.has('json')) writeJson(terminal, talk);
    return exitCode.done;
  } catch (error) {
    if (signal.aborted) return exitCode.paused;
    throw error;
  } finally {
    interrupts.dispose();
    typed.close();
    await talker.close();
    await run.close();
  }
}

const messageLines = ({ role, name, content }: Message): Printable[] => [
  '',
  style.accent(name === undefined ? role : `${role} ${name}`),
  content,
];

function yourLines({ exchanges }: Talk, at: number): Printable[] {
  const you = exchanges[at]?.you ?? null;
  return you === null ? [] : ['', style.accent('You'), you];
}

function answerLines(talk: Talk, at: number): Printable[] {
  const { by = [], answers = [] } = talk.exchanges[at] ?? {};
  return answers.flatMap((messages, side) => [
    ...messages.flatMap((message) =>
      message.role === 'assistant' ? ['', style.accent(by[side] ?? ''), message.content] : messageLines(message),
    ),
    ...notesOf(talk, at, side).map(onOneLine),
  ]);
}

function verdictLines({ exchanges }: Talk): Printable[] {
  const { by = [], verdicts = [] } = exchanges.at(-1) ?? {};
  return by.map((name, side) => {
    const verdict = verdicts[side] ?? null;
    if (verdict === null) return onOneLine(`${name}: no answer to judge.`);
    const { success, reward, parts = {}, note, error } = verdict;
    const word = error !== undefined ? 'The checker failed' : success ? 'Solved' : 'Not solved';
    const own = Object.entries(parts).map(([part, value]) => `${part} ${rate(value)}`);
    const why = error ?? note;
    return onOneLine(
      [`${name}: ${word}, reward ${rate(reward)}`, ...own, ...(why === undefined ? [] : [why])].join('; '),
    );
  });
}
