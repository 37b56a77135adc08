/** Versions of a run's policies that answer a person, with the tools of a task where one is chosen. Affects no run. */
import * as l10n from '@vscode/l10n';
import { append } from '../../../shared/append.ts';
import type { Leader } from '../../../engine/leader.ts';
import { LedAttempt } from '../../../engine/phases/attempts/ledAttempt.ts';
import { seedFrom } from '../../../engine/random.ts';
import { hasFailed } from '../../../engine/unanswered.ts';
import { policyNamed, type AgentTools, type OpenAgent } from '../../../launch/policies/newestAgent.ts';
import { openGround, runNow, type RunNow, type TaskGround } from '../../../launch/scoring/taskGround.ts';
import { editedTask } from '../../../launch/taskEdits.ts';
import type { RunReader } from '../../../runs/store/runReader.ts';
import { recordVersion } from '../../../runs/index/recordKind.ts';
import { defined } from '../../../shared/defined.ts';
import { messageOf } from '../../../shared/messageOf.ts';
import type { Message } from '../../../shared/records/message.ts';
import type { Trace, Verdict } from '../../../shared/records/trace.ts';
import {
  readBy,
  saidBy,
  stopReasonOf,
  withExchange,
  withVerdicts,
  type Answer,
  type Speaker,
  type Talk,
} from '../core/talk.ts';
import { played, type PosedTask } from './played.ts';
import { TalkError } from '../core/talkError.ts';
import { inEnglish } from '../../../launch/language.ts';

/** Of each policy: its turns, or the reason why there is none. */
export interface Answered {
  talk: Talk;
  /** By policy; null where it answered. */
  failures: (string | null)[];
}

type Posed = TaskGround & PosedTask;

/** Keeps policies and tools open between answers. */
export class Talker {
  readonly #run: RunReader;
  readonly #tools: AgentTools;
  readonly #policies = new Map<string, Promise<OpenAgent>>();
  #now: Promise<RunNow> | null = null;
  #posed: { task: string; ground: Promise<Posed> } | null = null;

  constructor(run: RunReader, tools: AgentTools) {
    this.#run = run;
    this.#tools = tools;
  }

  /**
   * Every policy answers. One that fails leaves its part empty, and the others stand.
   * @param you null where the task's own prompt is answered
   * @throws TalkError where none can; TaskEditError, RunError, InputError; the signal's reason
   */
  answer(talk: Talk, you: string | null, signal: AbortSignal): Promise<Answered> {
    return inEnglish(() => this.#answer(talk, you, signal));
  }

  async #answer(talk: Talk, you: string | null, signal: AbortSignal): Promise<Answered> {
    const posed = talk.task === null ? null : await this.#poseOf(talk.task);
    const next = withExchange(talk, you, []);
    const one = async (name: string, side: number): Promise<Tried> => {
      try {
        return { ...(await this.#turns(next, { name, side }, posed, signal)), failure: null };
      } catch (error) {
        signal.throwIfAborted();
        return { messages: [], stopReason: null, verdict: null, failure: `${name}: ${messageOf(error)}` };
      }
    };
    const tried = posed?.leader == null ? await Promise.all(talk.policies.map(one)) : await inTurn(talk.policies, one);
    const failures = tried.map(({ failure }) => failure);
    const [first] = failures;
    if (first != null && failures.every((one) => one !== null)) throw new TalkError('unanswered', first, '');
    const verdicts = tried.map(({ verdict }) => verdict);
    return { talk: withVerdicts(withExchange(talk, you, tried), verdicts), failures };
  }

  /**
   * The task's own judge, of each conversation as it stands.
   * @throws TalkError `unjudged`; TaskEditError, RunError, InputError; the signal's reason
   */
  judge(talk: Talk, signal: AbortSignal): Promise<Talk> {
    return inEnglish(() => this.#judge(talk, signal));
  }

  async #judge(talk: Talk, signal: AbortSignal): Promise<Talk> {
    const last = talk.exchanges.at(-1);
    if (talk.task === null || last === undefined) {
      const remedy = l10n.t('Begin a conversation about a task: its prompt is answered first.');
      throw new TalkError('unjudged', l10n.t('There is nothing to judge yet.'), remedy);
    }
    const posed = await this.#poseOf(talk.task);
    const { judge, scorer } = posed;
    if (posed.leader !== null && judge === undefined) {
      const message = l10n.t(
        'The program of this task judges its own attempt, when it ends: it cannot be asked again.',
      );
      throw new TalkError('unjudged', message, l10n.t('Its verdict stands below the answer to the prompt.'));
    }
    const verdicts: (Verdict | null)[] = [];
    for (const [side, name] of last.by.entries()) {
      const messages = saidBy(talk, { name, side });
      if (!messages.some(({ role }) => role === 'assistant')) verdicts.push(null);
      else {
        const attempted = await this.#attempted(posed, talk, { name, side });
        verdicts.push(
          judge === undefined ? scorer.score(posed.task, attempted) : await judge.judge(posed.task, attempted),
        );
      }
      signal.throwIfAborted();
    }
    return withVerdicts(talk, verdicts);
  }

  /** A version’s own turns, as an attempt. */
  async #attempted(posed: Posed, talk: Talk, speaker: Speaker): Promise<Omit<Trace, 'verdict'>> {
    const messages = saidBy(talk, speaker);
    const episode = await played(posed, messages);
    await episode.close();
    const { task } = posed;
    return {
      ...{
        v: recordVersion,
        id: `talk.${speaker.side}/${task.id}/r0`,
        purpose: 'train',
        task: task.id,
        family: task.family,
      },
      ...{ epoch: (await this.#home()).epoch, version: speaker.name, messages, sequences: [] },
      stopReason: stopReasonOf(talk, speaker),
      ...defined({ domain: task.domain }),
      ...(episode.steps.length > 0 && { steps: episode.steps }),
    };
  }

  /** The task's prompt, as its agent reads it; empty without a task. @throws TaskEditError, RunError, InputError */
  async promptOf({ task }: Pick<Talk, 'task'>): Promise<readonly Message[]> {
    return task === null ? [] : (await this.#poseOf(task)).prompt;
  }

  async close(): Promise<void> {
    const open = await Promise.allSettled([...this.#policies.values()]);
    for (const one of open) if (one.status === 'fulfilled') await one.value.close();
    await (await this.#posed?.ground.catch(() => null))?.close();
  }

  async #turns(
    talk: Talk,
    { name, side }: Speaker,
    posed: Posed | null,
    signal: AbortSignal,
  ): Promise<Omit<Tried, 'failure'>> {
    const { policy, version } = await this.#policy(name);
    if (posed?.leader != null && talk.exchanges.length === 1) {
      return led(posed, posed.leader, {
        agent: { policy, version },
        ...{ talk, side, signal, maxTurns: this.#run.manifest.experiment.rollouts.maxTurns },
      });
    }
    const episode = await played(posed, readBy(talk, { name, side }));
    const { maxTurns } = this.#run.manifest.experiment.rollouts;
    const answered: Message[] = [];
    let stopReason: Answer['stopReason'] = null;
    try {
      for (let turn = 0; turn < maxTurns; turn++) {
        const request = {
          ...{ id: `talk-${side}`, messages: episode.read, n: 1, logprobs: false },
          ...{ maxTokens: talk.maxTokens, temperature: talk.temperature },
          // The same for all policies: they differ by their weights alone.
          seed: seedFrom(talk.seed, 'talk', talk.exchanges.length, turn),
          ...(episode.tools.length > 0 && { tools: episode.tools }),
        };
        let said: Message | null = null;
        for await (const answer of policy.sample(version, [request], signal)) {
          if (hasFailed(answer)) throw new TalkError('unanswered', answer.failure, '');
          const { text, reasoning } = answer;
          ({ stopReason } = answer);
          said = { role: 'assistant', content: text, ...(reasoning !== undefined && { reasoning }) };
        }
        if (said === null) break;
        answered.push(said);
        const observation = await episode.step(said);
        append(answered, observation.messages);
        // An attempt ends with an answer that was cut off.
        if (observation.done || observation.messages.length === 0 || stopReason === 'length') break;
        if (turn === maxTurns - 1) stopReason = 'turns';
      }
    } finally {
      await episode.close();
    }
    return { messages: answered, stopReason, verdict: null };
  }

  #policy(name: string): Promise<OpenAgent> {
    const known = this.#policies.get(name);
    if (known !== undefined) return known;
    const opening = policyNamed(this.#run, name, this.#tools);
    this.#policies.set(name, opening);
    opening.catch(() => this.#policies.delete(name));
    return opening;
  }

  async #poseOf(task: string): Promise<Posed> {
    if (this.#posed?.task !== task) {
      const before = this.#posed;
      this.#posed = { task, ground: this.#pose(task) };
      await (await before?.ground.catch(() => null))?.close();
    }
    return this.#posed.ground;
  }

  #home(): Promise<RunNow> {
    return (this.#now ??= runNow(this.#run));
  }

  async #pose(id: string): Promise<Posed> {
    const { task } = await editedTask(this.#run, id);
    const ground = await openGround(await this.#home(), task, this.#tools);
    const leader = ground.domain.leaderOf?.(task) ?? null;
    return { ...ground, task, leader, prompt: await ground.domain.agentPrompt(task) };
  }
}

interface Tried extends Answer {
  /** Of the task's own program, at its end; null where none leads, or the run's judge is asked. */
  verdict: Verdict | null;
  failure: string | null;
}

async function inTurn<T, R>(some: readonly T[], work: (one: T, at: number) => Promise<R>): Promise<R[]> {
  const done: R[] = [];
  for (const [at, one] of some.entries()) done.push(await work(one, at));
  return done;
}

/** The task's program asks the version its questions, to its end: this answers the prompt. */
async function led(
  posed: Posed,
  leader: Leader,
  how: {
    agent: Pick<OpenAgent, 'policy' | 'version'>;
    talk: Talk;
    side: number;
    maxTurns: number;
    signal: AbortSignal;
  },
): Promise<Omit<Tried, 'failure'>> {
  const { agent, talk, side, maxTurns, signal } = how;
  const { maxTokens, temperature, seed } = talk;
  const attempt = new LedAttempt(agent, maxTurns, {
    id: `talk-${side}`,
    sampling: (turn) => ({ maxTokens, temperature, logprobs: false, seed: seedFrom(seed, 'talk', ...turn) }),
    signal,
  });
  const id = `talk.${side}/${posed.task.id}/r0`;
  const { verdict } = await leader.lead(posed.task, id, (question) => attempt.ask(question), attempt.signal);
  attempt.signal.throwIfAborted();
  const { messages, stopReason } = attempt.record;
  return { messages: messages.map(withoutTokens), stopReason, verdict: posed.judge === undefined ? verdict : null };
}

function withoutTokens(message: Message): Message {
  const without = { ...message };
  delete without.tokens;
  return without;
}
