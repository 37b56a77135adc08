/** Conversations as tasks of an adapter: played turn by turn, and judged by what became of the tools. */
import type { Environment, Scorer } from '../../../engine/ports.ts';
import type { Task } from '../../../shared/records/task.ts';
import type { Verdict } from '../../../shared/records/trace.ts';
import { Unfit } from '../../rules/rule.ts';
import type { ScorerRule } from '../../scorerTable.ts';
import { OfficialStop } from '../officialStop.ts';
import { parseExpression } from '../python/expressions.ts';
import { PythonFault } from '../python/fault.ts';
import { unparse } from '../python/unparse.ts';
import { checkTurns } from './checkTurns.ts';
import { Instances } from './instances.ts';
import { today } from './today.ts';
import { TurnsEpisode } from './turnsEpisode.ts';
import { openingOf, stepsOf, truthOf } from './turnsSpec.ts';

type Judged = Parameters<Scorer['score']>[0];

/** The episode of a task that has been found without fault. */
export const turnsEpisode = ({ evaluation }: Pick<Task, 'evaluation'>): Environment =>
  new TurnsEpisode(openingOf(evaluation), today());

/** Success is a state and responses as the truth's, in every turn. */
export class TurnsScorer implements ScorerRule {
  fault({ evaluation, gold }: Judged): string | null {
    try {
      const opening = openingOf(evaluation);
      if (truthOf(gold).length !== opening.question.length) return 'the gold has another number of turns';
      new TurnsEpisode(opening, today()).reset();
      return null;
    } catch (error) {
      if (error instanceof Unfit || error instanceof PythonFault) return error.message;
      throw error;
    }
  }

  /** It takes more than one turn. */
  goldAnswer(): null {
    return null;
  }

  score({ evaluation, gold }: Judged, { messages, stopReason }: Parameters<Scorer['score']>[1]): Verdict {
    const model = stepsOf(messages);
    try {
      const { config, involved } = openingOf(evaluation);
      const fault = checkTurns({ config, involved, truth: truthOf(gold), model, today: today() });
      if (fault === null) return { success: true, reward: 1, valid: true };
      const note = stopReason === 'length' ? `${fault}: an answer was cut off` : fault;
      return { success: false, reward: 0, valid: model.some((steps) => steps.length > 0), note };
    } catch (error) {
      if (!(error instanceof Unfit || error instanceof OfficialStop)) throw error;
      return { success: false, reward: 0, valid: false, error: error.message };
    }
  }
}

/** The truth as a model would say it, turn by turn: its calls at once, then that it is done. @throws Unfit */
export function officialTurns({ evaluation, gold }: Pick<Task, 'evaluation' | 'gold'>): string[] {
  const { config, involved } = openingOf(evaluation);
  const tools = new Instances('model', config, involved, { today: today(), defaults: { tags: [], mentions: [] } });
  return truthOf(gold).flatMap((calls) => {
    const said = calls.map((call) => withNames(call, tools));
    return said.length === 0 ? ['Done.'] : [`[${said.join(', ')}]`, 'Done.'];
  });
}

/** Arguments without a name are lost where a model's text is decoded. */
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
