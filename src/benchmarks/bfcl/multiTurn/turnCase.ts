/** A line of `genenv score bfcl-multi-turn`. */
import { CaseError } from '../../offline/offlineScorer.ts';
import type { PythonValue } from '../../python/value.ts';
import type { Case } from '../../offline/pythonCase.ts';
import { Dict, fromJson, type Value } from '../python/value.ts';
import type { Conversation } from './checkTurns.ts';
import { classNames } from './instances.ts';
import { isLongContext } from './apis/longContext.ts';

const wrong = (field: string, what: string): CaseError => new CaseError('form', field, what);

/** `record`: a question record with the `ground_truth` of its answer. @throws CaseError */
export function recordOf(of: Case): Pick<Conversation, 'config' | 'involved' | 'truth'> & { isLong: boolean } {
  const record = fromJson(of.get('record') ?? null);
  if (!(record instanceof Dict)) throw wrong('record', 'must be an object');
  const config = record.get('initial_config') ?? new Dict();
  if (!(config instanceof Dict)) throw wrong('record.initial_config', 'must be an object');
  const involved = texts(record.get('involved_classes'), 'record.involved_classes');
  for (const [at, name] of involved.entries()) {
    if (!classNames.includes(name))
      throw wrong(`record.involved_classes.${at}`, `must be one of ${classNames.join(', ')}`);
  }
  const given = record.get('ground_truth') ?? record.get('possible_answer') ?? fromJson(of.get('ground_truth') ?? null);
  const turns = given instanceof Dict ? (given.get('ground_truth') ?? null) : given;
  const truth = list(turns, 'record.ground_truth').map((turn, at) => texts(turn, `record.ground_truth.${at}`));
  const id = record.get('id');
  return { config, involved, truth, isLong: typeof id === 'string' && isLongContext(id) };
}

/** A turn is a list of steps, a step a list of calls; a turn that is a list of calls is one step. @throws CaseError */
export function modelTurns(of: Case): string[][][] {
  const turns: PythonValue = of.get('model_turns') ?? null;
  return list(fromJson(turns), 'model_turns').map((turn, at) => {
    const steps = list(turn, `model_turns.${at}`);
    if (steps.length > 0 && steps.every((step) => typeof step === 'string')) {
      return [texts(turn, `model_turns.${at}`)];
    }
    return steps.map((step, index) => texts(step, `model_turns.${at}.${index}`));
  });
}

function list(value: Value | undefined, field: string): Value[] {
  if (Array.isArray(value)) return value;
  throw wrong(field, 'must be a list');
}

function texts(value: Value | undefined, field: string): string[] {
  return list(value, field).map((one, at) => {
    if (typeof one === 'string') return one;
    throw wrong(`${field}.${at}`, 'must be a string');
  });
}
