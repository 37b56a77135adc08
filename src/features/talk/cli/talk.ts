/** `genenv talk RUN`: a person writes on standard input, one or two policies answer. */
import { writeFile } from 'node:fs/promises';
import { dirname, relative, resolve } from 'node:path';
import type { Arguments } from '../../../cli/commandLine.ts';
import { cliKeys } from '../../../cli/consent/cliKeys.ts';
import { writeJson, type Context } from '../../../cli/context.ts';
import { exitCode, type ExitCode } from '../../../cli/exitCode.ts';
import { TurnsTyped } from '../../../cli/text/turnsTyped.ts';
import { stopAtInterrupt } from '../../../cli/interrupts.ts';
import { writeLines } from '../../../cli/terminal.ts';
import { rate } from '../../../shared/text/figures/numbers.ts';
import { style } from '../../../cli/text/style.ts';
import { onOneLine, styled, type Printable } from '../../../cli/text/styled.ts';
import { UsageError } from '../../../cli/usageError.ts';
import { versionsOf } from '../../../launch/policies/versionsOf.ts';
import type { RunReader } from '../../../runs/store/runReader.ts';
import type { Message } from '../../../shared/records/message.ts';
import { codeOf } from '../../../shared/systemError.ts';
import { awaitsPrompt, mostPolicies, readTalk, talkText, type Talk } from '../core/talk.ts';
import { Talker } from '../node/talker.ts';
import { strictText } from '../../../launch/inputs/strictText.ts';

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
    let talk = (await kept(path)) ?? (await begun(run, given, path));
    tell((await talker.promptOf(talk)).flatMap(messageLines));
    for (const exchange of talk.exchanges) tell(exchangeLines(exchange));
    for (;;) {
      const own = awaitsPrompt(talk);
      if (!own) tell(['', styled`${style.accent('You')}  A line with a single “.” sends it.`]);
      const you = own ? null : await typed.next(signal);
      if (you === null && !own) break;
      const answered = await talker.answer(talk, you, signal);
      ({ talk } = answered);
      if (path !== null) await writeFile(path, talkText(talk));
      const last = talk.exchanges.at(-1);
      if (last !== undefined) tell(exchangeLines({ ...last, you: null }));
      for (const failure of answered.failures) if (failure !== null) terminal.err.write(`${failure}\n`);
    }
    if (given.has('judge')) {
      talk = await talker.judge(talk, signal);
      if (path !== null) await writeFile(path, talkText(talk));
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

/** Null for a file that is not there yet. @throws UsageError */
async function kept(path: string | null): Promise<Talk | null> {
  if (path === null) return null;
  const text = await strictText(path).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return null;
  const { talk, problem } = readTalk(text);
  if (talk === null) throw new UsageError(`${path} holds no conversation: ${problem}.`, 'Name another file.');
  return talk;
}

/** @throws UsageError, RunError */
async function begun(run: RunReader, given: Arguments, path: string | null): Promise<Talk> {
  const { rollouts } = run.manifest.experiment;
  const named = given.all('by');
  if (named.length > mostPolicies) throw new UsageError('--by names more than two versions.', 'Two answer at once.');
  const newest = (await versionsOf(run)).find(({ kept: isKept }) => isKept);
  const policies = named.length > 0 ? [...named] : newest === undefined ? [] : [newest.version.name];
  if (policies.length === 0) throw new UsageError('This run has no version that can answer.', 'Name another run.');
  const temperature = Number(given.text('temperature') ?? rollouts.temperature);
  if (!(temperature >= 0 && temperature <= 5)) throw new UsageError('--temperature wants a number from 0 to 5.', '');
  return {
    ...{ version: 1, policies, task: given.text('task'), temperature, exchanges: [] },
    run: path === null ? run.dir : relative(dirname(path), run.dir).replaceAll('\\', '/'),
    maxTokens: given.count('max-tokens') ?? rollouts.maxTokens,
    seed: given.count('seed') ?? 0,
  };
}

const messageLines = ({ role, name, content }: Message): Printable[] => [
  '',
  style.accent(name === undefined ? role : `${role} ${name}`),
  content,
];

const exchangeLines = ({ you, by, answers }: Talk['exchanges'][number]): Printable[] => [
  ...(you === null ? [] : ['', style.accent('You'), you]),
  ...answers.flatMap((messages, side) =>
    messages.flatMap((message) =>
      message.role === 'assistant' ? ['', style.accent(by[side] ?? ''), message.content] : messageLines(message),
    ),
  ),
];

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
