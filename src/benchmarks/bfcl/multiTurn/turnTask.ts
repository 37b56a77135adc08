/** One turn of a conversation as a task of its own, with the truth as what came before it: how the paper measures. */
import * as l10n from '@vscode/l10n';
import type { LocalEnvironment, Observation, Scorer } from '../../../engine/ports.ts';
import { append } from '../../../shared/append.ts';
import type { EvaluationSpec, Gold, Task } from '../../../shared/records/task.ts';
import type { Message } from '../../../shared/records/message.ts';
import type { Verdict } from '../../../shared/records/trace.ts';
import { Unfit } from '../../rules/rule.ts';
import { carefully, faultIn } from './careful.ts';
import { checkTurns } from './checkTurns.ts';
import { executableCalls } from './executable.ts';
import type { Instances } from './instances.ts';
import type { LongContext } from './apis/longContext.ts';
import { LongContexts } from './apis/longContexts.ts';
import { today } from './apis/today.ts';
import { resultsOf, TurnsEpisode } from './turnsEpisode.ts';
import { openingOf, stepsOf, truthOf, type Opening } from './turnsSpec.ts';
import { saidTurn, toolsOf, turnsVerdict } from './turnsTask.ts';
import type { ScorerRule } from '../../scorerRule.ts';

type Judged = Parameters<Scorer['score']>[0];

interface TurnOpening extends Opening {
  /** Which turn is asked, from 0. */
  turn: number;
  truth: readonly (readonly string[])[];
}

/** @throws Unfit */
function turnOf({ evaluation, gold }: { evaluation: EvaluationSpec; gold: Gold | null }): TurnOpening {
  const opening = openingOf(evaluation);
  const truth = truthOf(gold);
  const turn = Number(evaluation['turn']);
  const calls = opening.question.length === truth.length ? truth[turn] : undefined;
  if (calls === undefined)
    throw new Unfit(l10n.t('evaluation.turn: the conversation has no turn {0}', String(evaluation['turn'])));
  if (calls.length === 0) throw new Unfit(l10n.t('evaluation.turn: nothing is checked in turn {0}', turn));
  return { ...opening, turn, truth };
}

/** The true conversation before the turn, and the tools' state by then. @throws PythonFault */
function before(opening: TurnOpening, longContext: LongContext | null): Before {
  const { question, turn, truth } = opening;
  const tools = toolsOf(opening, longContext);
  const messages: Message[] = [];
  for (const [at, calls] of truth.slice(0, turn).entries()) {
    append(messages, question[at] ?? []);
    for (const [step, content] of saidTurn(calls, tools).entries()) {
      messages.push({ role: 'assistant', content });
      if (step === 0 && calls.length > 0) messages.push(resultsOf(executableCalls(content) ?? calls, tools));
    }
  }
  return { messages, tools };
}

interface Before {
  messages: Message[];
  tools: Instances;
}

/** Over with the first answer without a call. */
class TurnEpisode implements LocalEnvironment {
  readonly #opening: TurnOpening;
  readonly #longContext: LongContext | null;
  #rest: TurnsEpisode;

  /** @throws PythonFault when what the tools begin with does not fit */
  constructor(opening: TurnOpening, longContext: LongContext | null) {
    this.#opening = opening;
    this.#longContext = longContext;
    this.#rest = this.#begin().rest;
  }

  /** The conversation up to the turn: the prompt has what the tools can do. */
  reset(): Observation {
    const { rest, messages } = this.#begin();
    this.#rest = rest;
    return { messages, done: false };
  }

  step(action: string): Observation {
    return this.#rest.step(action);
  }

  #begin(): { rest: TurnsEpisode; messages: readonly Message[] } {
    const { question, turn } = this.#opening;
    const asked = question[turn] ?? [];
    const { messages, tools } = before(this.#opening, this.#longContext);
    const rest = new TurnsEpisode({ question: [asked] }, () => tools);
    return { rest, messages: [...messages, ...asked] };
  }
}

/** Success is a state and responses as the truth's after this turn; the turns before are the truth's own. */
export class TurnScorer implements ScorerRule {
  readonly #longContexts: LongContexts;

  constructor(longContexts = new LongContexts()) {
    this.#longContexts = longContexts;
  }

  fault(task: Judged): string | null {
    return faultIn(() => {
      new TurnEpisode(turnOf(task), null).reset();
      return null;
    });
  }

  /** It takes more than one step. */
  goldAnswer(): null {
    return null;
  }

  /** Of a task that has been found without fault. @throws Unfit where the tools hold more and that was not read */
  episode(task: Judged): LocalEnvironment {
    const opening = turnOf(task);
    return new TurnEpisode(opening, this.#longContexts.of(opening));
  }

  score(task: Judged, { messages, stopReason }: Parameters<Scorer['score']>[1]): Verdict {
    return carefully(() => {
      const opening = turnOf(task);
      const { config, involved, turn, truth } = opening;
      const longContext = this.#longContexts.of(opening);
      const asked = { config, involved, truth: truth.slice(0, turn + 1), today: today(), longContext };
      const steps = stepsOf(answered(messages, opening))[0] ?? [];
      const fault = checkTurns({ ...asked, model: [...truth.slice(0, turn).map((calls) => [calls]), steps] });
      return turnsVerdict(fault, [steps], stopReason);
    });
  }
}

/** The agent's own messages: a trace begins with the true conversation before them. */
function answered(messages: readonly Message[], opening: TurnOpening): readonly Message[] {
  const said = earlierTurns(opening);
  const own = messages.filter(({ role }) => role === 'assistant');
  return said.every((text, at) => own[at]?.content === text) ? own.slice(said.length) : own;
}

function earlierTurns(opening: TurnOpening): string[] {
  const tools = toolsOf(opening, null);
  return opening.truth.slice(0, opening.turn).flatMap((calls) => saidTurn(calls, tools));
}

/** The turn's truth as a model would say it: its calls at once, then that it is done. @throws Unfit */
export function officialTurn(task: Pick<Task, 'evaluation' | 'gold'>): string[] {
  const opening = turnOf(task);
  return saidTurn(opening.truth[opening.turn] ?? [], toolsOf(opening, null));
}
