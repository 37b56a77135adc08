/** The tasks and request of an evaluation, stored beside its answers. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readError, writeError } from '../../../runs/files/fileErrors.ts';
import { parseOrUndefined } from '../../../shared/json.ts';
import { evaluationRequestSchema, type EvaluationRequest } from '../../../shared/records/evaluation.ts';
import type { Task } from '../../../shared/records/task.ts';
import { codeOf } from '../../../shared/systemError.ts';
import type { PolicyChoice } from './openChoice.ts';
import type { EvaluationAsk } from './evaluationAsk.ts';

const tasksIn = (folder: string): string => join(folder, 'tasks.jsonl');
const requestIn = (folder: string): string => join(folder, 'request.json');

/** The same again where it is there already. @throws RunError `disk-full`, `unwritable` */
export async function keepAsked(folder: string, ask: EvaluationAsk, tasks: readonly Task[]): Promise<void> {
  const lines = tasks.map((task) => `${JSON.stringify(task)}\n`);
  const request = requestOf(ask);
  try {
    await writeFile(tasksIn(folder), lines.join(''));
    if (request !== null) await writeFile(requestIn(folder), `${JSON.stringify(request, null, 2)}\n`);
  } catch (error) {
    throw writeError(error, folder);
  }
}

/** Null where it cannot be resumed. @throws RunError `unreadable` */
export async function readRequest(folder: string): Promise<EvaluationRequest | null> {
  const path = requestIn(folder);
  try {
    return evaluationRequestSchema.safeParse(parseOrUndefined(await readFile(path, 'utf8'))).data ?? null;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw readError(error, path);
  }
}

/** Null where the adapter's file is unknown. */
function requestOf(ask: EvaluationAsk): EvaluationRequest | null {
  const { adapterFile, data, sample, seed, attempts, temperature, maxTokens } = ask;
  if (adapterFile === undefined) return null;
  return {
    ...{ adapter: adapterFile, data, splits: [...ask.splits], sample, seed, attempts, temperature, maxTokens },
    judge: ask.judge == null ? null : { name: ask.judge.name, endpoint: ask.judge.experiment.endpoints.agent },
    policy: policyOf(ask.policy),
  };
}

function policyOf(choice: PolicyChoice): EvaluationRequest['policy'] {
  switch (choice.kind) {
    case 'run':
      return { kind: 'run', run: choice.run.dir, version: choice.version };
    case 'experiment':
      return { kind: 'endpoint', name: choice.name, endpoint: choice.experiment.endpoints.agent };
    default:
      return choice;
  }
}
