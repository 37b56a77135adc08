/** Conversations as tasks of an adapter: played turn by turn, and judged by what became of the tools. */
import * as l10n from '@vscode/l10n';
import type { LocalEnvironment, Scorer } from '../../../engine/ports.ts';
import type { Task } from '../../../shared/records/task.ts';
import type { Verdict } from '../../../shared/records/trace.ts';
import { parseExpression } from '../python/expressions.ts';
import { unparse } from '../python/text/unparse.ts';
import { carefully, faultIn } from './careful.ts';
import { checkTurns } from './checkTurns.ts';
import { Instances } from './instances.ts';
import type { LongContext } from './apis/longContext.ts';
import { LongContexts } from './apis/longContexts.ts';
import { surroundingsOn } from './surroundings.ts';
import { today } from './apis/today.ts';
import { TurnsEpisode } from './turnsEpisode.ts';
import { openingOf, stepsOf, truthOf, type Opening } from './turnsSpec.ts';
import type { ScorerRule } from '../../scorerRule.ts';

type Judged = Parameters<Scorer['score']>[0];

/** Success is a state and responses as the truth's, in every turn. */
export class TurnsScorer implements ScorerRule {
  readonly #longContexts: LongContexts;

  constructor(longContexts = new LongContexts()) {
    this.#longContexts = longContexts;
  }

  fault({ evaluation, gold }: Judged): string | null {
    return faultIn(() => {
      const opening = openingOf(evaluation);
      if (truthOf(gold).length !== opening.question.length) return l10n.t('the gold has another number of turns');
      new TurnsEpisode(opening, () => toolsOf(opening, null)).reset();
      return null;
    });
  }

  /** It takes more than one turn. */
  goldAnswer(): null {
    return null;
  }

  /** Of a task that has been found without fault. @throws Unfit where the tools hold more and that was not read */
  episode({ evaluation }: Pick<Judged, 'evaluation'>): LocalEnvironment {
    const opening = openingOf(evaluation);
    const longContext = this.#longContexts.of(opening);
    return new TurnsEpisode(opening, () => toolsOf(opening, longContext));
  }

  score({ evaluation, gold }: Judged, { messages, stopReason }: Parameters<Scorer['score']>[1]): Verdict {
    const model = stepsOf(messages);
    return carefully(() => {
      const opening = openingOf(evaluation);
      const { config, involved } = opening;
      const longContext = this.#longContexts.of(opening);
      const fault = checkTurns({ config, involved, truth: truthOf(gold), model, today: today(), longContext });
      return turnsVerdict(fault, model, stopReason);
    });
  }
}

/** The model's tools as a conversation begins. @throws PythonFault when what they begin with does not fit */
export const toolsOf = ({ config, involved }: Opening, longContext: LongContext | null): Instances =>
  new Instances('model', config, involved, surroundingsOn(today(), longContext));

/** @param fault the type of the error; null when right @param model steps of calls, turn by turn */
export function turnsVerdict(
  fault: string | null,
  model: readonly (readonly unknown[])[],
  stopReason: Parameters<Scorer['score']>[1]['stopReason'],
): Verdict {
  if (fault === null) return { success: true, reward: 1, valid: true };
  const note = stopReason === 'length' ? l10n.t('{0}: an answer was cut off', fault) : fault;
  return { success: false, reward: 0, valid: model.some((steps) => steps.length > 0), note };
}

/** The truth as a model would say it, turn by turn: its calls at once, then that it is done. @throws Unfit */
export function officialTurns({ evaluation, gold }: Pick<Task, 'evaluation' | 'gold'>): string[] {
  const tools = toolsOf(openingOf(evaluation), null);
  return truthOf(gold).flatMap((calls) => saidTurn(calls, tools));
}

/** A turn of the truth, its calls by the names of their arguments: those without one are lost where a text is decoded. */
export const saidTurn = (calls: readonly string[], tools: Instances): string[] =>
  calls.length === 0 ? ['Done.'] : [`[${calls.map((call) => withNames(call, tools)).join(', ')}]`, 'Done.'];

function withNames(text: string, tools: Instances): string {
  const call = parseExpression(text);
  if (call.kind !== 'call' || call.callee.kind !== 'name' || call.positional.length === 0) return text;
  const names = tools.parametersOf(call.callee.name);
  const given = [
    ...call.positional.map((one, at) => `${names[at] ?? ''}=${unparse(one)}`),
    ...call.keywords.map(({ name, value }) => `${name ?? ''}=${unparse(value)}`),
  ];
  return `${call.callee.name}(${given.join(', ')})`;
}
