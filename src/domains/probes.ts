/** A domain's functions asked about what no task and no answer is: one that takes all of it tells nothing apart. */
import * as l10n from '@vscode/l10n';
import type { Domain } from '../engine/ports.ts';
import type { Task, TaskDraft } from '../shared/records/task.ts';
import type { Verdict } from '../shared/records/trace.ts';

/** Texts that are no task in any domain. */
const noTasks = ['', ' \n', 'qwzx jjkv 91827364 -- ?', '{"": [[[', 'null'];
/** An answer to nothing that was asked. */
const nonsense = 'qwzx jjkv 91827364 -- ?';
/** Tasks that are tried: a function of a person's own may be slow. */
const tried = 8;

/** A function that tells nothing apart: the finding in a sentence, and its remedy. */
export interface Doubt {
  call: 'parse' | 'verify' | 'judge';
  message: string;
  remedy: string;
}

/** @param verifies whether the domain has a say about tasks beyond `parse` */
export async function doubtsOfWriting(
  domain: Pick<Domain, 'parseTask' | 'verify'>,
  tasks: readonly Task[],
  verifies: boolean,
): Promise<Doubt[]> {
  const [seed] = tasks;
  if (seed === undefined) return [];
  const doubts: Doubt[] = [];
  const taken: string[] = [];
  for (const text of noTasks) {
    const parsed = await domain.parseTask(text, '', seed);
    if (parsed.ok && (await domain.verify(parsed.draft)).ok) taken.push(text);
  }
  if (taken.some((text) => text.trim() === '')) {
    doubts.push({
      call: 'parse',
      message: l10n.t('An empty text becomes a task: “parse” reads it, and nothing refuses it.'),
      remedy: l10n.t('Give { reject: why } for a text without a task.'),
    });
  } else if (taken.length === noTasks.filter((text) => text.trim() !== '').length) {
    doubts.push({
      call: 'parse',
      message: l10n.t('Every text that is none becomes a task, such as “{0}”.', nonsense),
      remedy: l10n.t('Give { reject: why } for a text that has not the form that environmentPrompt asks for.'),
    });
  }
  if (verifies && (await verifiesAll(domain, tasks.slice(0, tried)))) {
    doubts.push({
      call: 'verify',
      message: l10n.t('“verify” accepts everything: also tasks without a prompt, and with a gold that is no answer.'),
      remedy: l10n.t('Give why a task does not count, or leave the function out: “parse” refuses texts, too.'),
    });
  }
  return doubts;
}

async function verifiesAll(domain: Pick<Domain, 'verify'>, tasks: readonly Task[]): Promise<boolean> {
  for (const task of tasks) for (const draft of spoilt(task)) if (!(await domain.verify(draft)).ok) return false;
  return true;
}

/** A task without anything to do, with a gold that is no answer, with none where there was one, without data to judge by. */
function spoilt({ tools, evaluation, gold, plan, domain }: Task): TaskDraft[] {
  const rest = { evaluation, plan, complexity: {}, ...(tools && { tools }), ...(domain !== undefined && { domain }) };
  const asking = (content: string): TaskDraft['prompt'] => [{ role: 'user', content }];
  return [
    { ...rest, prompt: asking(''), gold },
    { ...rest, prompt: asking(nonsense), gold: nonsense },
    { ...rest, prompt: asking(''), gold: null },
    { ...rest, prompt: asking(nonsense), gold: nonsense, evaluation: { kind: evaluation.kind } },
  ];
}

/**
 * Judges the golds and an answer to nothing. One task alone may have any answer; what holds of all of several is the
 * judge's doing.
 * @param tasks those with a gold
 */
export async function doubtsOfJudging(
  tasks: readonly Task[],
  judge: (task: Task, content: string) => Promise<Verdict> | Verdict,
  said: (task: Task) => string,
): Promise<Doubt[]> {
  const some = tasks.slice(0, tried);
  if (some.length < 2) return [];
  let [gold, other] = [0, 0];
  for (const task of some) {
    if ((await judge(task, said(task))).success) gold += 1;
    if ((await judge(task, nonsense)).success) other += 1;
  }
  const doubts: Doubt[] = [];
  if (other === some.length) {
    doubts.push({
      call: 'judge',
      message: l10n.t('“judge” accepts every answer: “{0}” solves each of {1} tasks.', nonsense, some.length),
      remedy: l10n.t('Compare the answer with the gold. With one verdict for all there is nothing to learn.'),
    });
  }
  if (gold === 0) {
    doubts.push({
      call: 'judge',
      message: l10n.t('“judge” accepts no answer: not the gold of any of {0} tasks.', some.length),
      remedy: l10n.t(
        'See which answer it expects, and what agentPrompt asks for. With one verdict for all there is nothing to learn.',
      ),
    });
  }
  return doubts;
}
