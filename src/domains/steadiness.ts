/** A domain's functions asked twice about the same: a resumed run asks again, and any process may answer. */
import * as l10n from '@vscode/l10n';
import { isDeepStrictEqual } from 'node:util';
import type { Domain, ParsedTask } from '../engine/ports.ts';
import type { Task } from '../shared/records/task.ts';
import type { Verdict } from '../shared/records/trace.ts';
import type { Doubt } from './probes.ts';

/** Tasks that are tried: a function of a person's own may be slow. */
const tried = 8;

type Call = Doubt['call'] | 'environmentPrompt' | 'agentPrompt' | 'planPrompt';

/** A function whose answers to the same differ. @param what the difference, without its full stop */
export const unsteady = <C extends Call>(call: C, what: string) => ({
  call,
  message: l10n.t('“{0}” is not deterministic: {1}.', call, what),
  remedy: l10n.t(
    'Take chance from what it is given, such as the text or the task’s id, not from a clock, a counter or a random generator.',
  ),
});

/** `parse` on the prompts of seed tasks and on what is no task, `verify` on the seed tasks. */
export async function doubtsOfSteadyWriting(
  domain: Pick<Domain, 'parseTask' | 'verify'>,
  tasks: readonly Task[],
  more: readonly string[] = [],
): Promise<Doubt[]> {
  const [seed] = tasks;
  if (seed === undefined) return [];
  const some = tasks.slice(0, tried);
  const texts = [...more.slice(0, tried), ...some.map(({ prompt }) => prompt.at(-1)?.content ?? ''), 'qwzx'];
  const doubts: Doubt[] = [];
  for (const text of texts) {
    const one = await domain.parseTask(text, '', seed);
    const other = await domain.parseTask(text, '', seed);
    if (isDeepStrictEqual(one, other)) continue;
    doubts.push(
      unsteady(
        'parse',
        l10n.t(
          'the same text gave {0}, and then {1}',
          parsed(one),
          one.ok && other.ok ? l10n.t('another task') : parsed(other),
        ),
      ),
    );
    break;
  }
  for (const task of some) {
    const one = await domain.verify(task);
    const other = await domain.verify(task);
    if (isDeepStrictEqual(one, other)) continue;
    const what =
      one.ok === other.ok
        ? l10n.t('the task {0} was refused for two reasons', task.id)
        : l10n.t('the task {0} {1} once and {2} the next time', task.id, told(one.ok), told(other.ok));
    doubts.push(unsteady('verify', what));
    break;
  }
  return doubts;
}

const parsed = (one: ParsedTask): string => (one.ok ? l10n.t('a task') : `“${one.note}”`);
const told = (accepted: boolean): string => (accepted ? l10n.t('was accepted') : l10n.t('was refused'));

/** The judge on golds and on an answer to nothing. @param tasks those with a gold */
export async function doubtsOfSteadyJudging(
  tasks: readonly Task[],
  judge: (task: Task, content: string) => Promise<Verdict> | Verdict,
  said: (task: Task) => string,
): Promise<Doubt[]> {
  for (const task of tasks.slice(0, tried)) {
    for (const content of [said(task), 'qwzx']) {
      const one = await judge(task, content);
      const other = await judge(task, content);
      if (isDeepStrictEqual(outcome(one), outcome(other))) continue;
      return [
        unsteady('judge', l10n.t('the same answer to {0} got {1}, and then {2}', task.id, words(one), words(other))),
      ];
    }
  }
  return [];
}

const outcome = ({ success, reward, parts, error }: Verdict) => ({ success, reward, parts, error });
const words = ({ success, reward, error }: Verdict): string =>
  error !== undefined
    ? l10n.t('the error “{0}”', error)
    : success
      ? l10n.t('success with reward {0}', reward)
      : l10n.t('failure with reward {0}', reward);
