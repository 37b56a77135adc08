/** A dialogue of levels 1 and 2 as what a model is asked of it: every call, and every response to one. */
import { isObject } from '../../shared/experiment/resolve.ts';
import { truthsOf, type Turn } from './dialogue.ts';
import { outOfRange } from '../../shared/outOfRange.ts';

export interface Sample {
  /** Its place among the dialogue's samples, see `truthsOf`. */
  sample: number;
  kind: 'call' | 'response';
  /** Names of all APIs that the dialogue uses: the official program describes these. */
  apis: string[];
  /** Earlier turns. */
  history: { role: Turn['role']; text: string }[];
  truth: Turn;
  /** The truth as a model would say it. */
  said: string;
  /** Of its dialogue's file, from 1, without blank ones: where the truth stands. */
  line: number;
}

/** A person's turn after a call is not for a model to predict: it is no sample here. */
export function samplesOf(turns: readonly Turn[]): Sample[] {
  const apis = [...new Set(turns.flatMap((turn) => (turn.role === 'API' ? [turn.api_name] : [])))];
  const calls = turns.flatMap((turn, at) => (turn.role === 'API' ? [at] : []));
  return truthsOf(turns).flatMap((truth, sample): Sample[] => {
    if (truth === undefined || truth.role === 'User') return [];
    const at = (calls[Math.floor(sample / 2)] ?? outOfRange()) + (sample % 2);
    const history = turns.slice(0, at).map((turn) => ({ role: turn.role, text: textOf(turn) }));
    const kind = truth.role === 'API' ? 'call' : 'response';
    const said = truth.role === 'API' ? callOf(truth) : truth.text;
    return [{ sample, kind, apis, history, truth, said, line: at + 1 }];
  });
}

type ApiTurn = Extract<Turn, { role: 'API' }>;

/** `[Name(key='value')]`, as the official program shows and reads calls. */
function callOf(turn: ApiTurn): string {
  const given = isObject(turn['param_dict']) ? turn['param_dict'] : {};
  const params = Object.entries(given).map(([key, value]) => `${key}='${String(value)}'`);
  return `[${turn.api_name}(${params.join(', ')})]`;
}

/** The official prompt tells of no exceptions. */
function textOf(turn: Turn): string {
  if (turn.role !== 'API') return turn.text;
  const { output } = turn.result;
  return `${callOf(turn)} Response: ${typeof output === 'string' ? output : JSON.stringify(output ?? null)}`;
}
