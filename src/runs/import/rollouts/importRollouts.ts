/** Rollouts of another program as a run that can be read like one of ours: browsed, searched, exported, never carried on. */
import { basename } from 'node:path';
import * as l10n from '@vscode/l10n';
import type { Clock } from '../../../engine/ports.ts';
import type { Task } from '../../../shared/records/task.ts';
import type { Trace, Verdict } from '../../../shared/records/trace.ts';
import { defined } from '../../../shared/defined.ts';
import type { RunStore } from '../../store/runStore.ts';
import type { RunWriter } from '../../store/runWriter.ts';
import { ImportedEpochs, type Judged } from './importedEpochs.ts';
import { importedExperiment } from './importedExperiment.ts';
import { rolloutsAt } from './readRollouts.ts';
import type { Rollout } from './rollout.ts';
import { isCut, isSolved, taskKey, type RolloutChoices, type Survey } from './survey.ts';

/** Records that are written together. */
const batch = 256;

export interface RolloutImport {
  store: RunStore;
  survey: Survey;
  choices: RolloutChoices;
  /** The run's name. */
  name: string;
  clock: Clock;
  /** The folder of built files. */
  dist: URL;
}

/** Reads the files again, as they were surveyed, into a new run. @returns its id. @throws RunError */
export async function importRollouts({ store, survey, choices, name, clock, dist }: RolloutImport): Promise<string> {
  const { files, format, steps } = survey;
  const from =
    files.length === 1 ? basename(files[0] ?? '') : `${basename(files[0] ?? '')} … ${basename(files.at(-1) ?? '')}`;
  const imported = { format, from, steps: [...steps] };
  const experiment = importedExperiment(name, steps.length);
  const writer = await store.create({ experiment, imported });
  try {
    const epochs = new ImportedEpochs(writer, experiment, clock);
    await writer.session({ type: 'started' });
    await writeRecords(writer, { survey, choices, dist }, epochs);
    await epochs.journal(format);
    await writer.session({ type: 'finished' });
    return writer.id;
  } catch (error) {
    await writer.close();
    await store.remove(writer.id);
    throw error;
  } finally {
    await writer.close();
  }
}

async function writeRecords(
  writer: RunWriter,
  { survey, choices, dist }: Pick<RolloutImport, 'survey' | 'choices' | 'dist'>,
  epochs: ImportedEpochs,
): Promise<void> {
  const epochOf = new Map(survey.steps.map((step, i) => [step, i + 1]));
  const ids = new Map<string, string>();
  const names = new FreeNames();
  let tasks: Task[] = [];
  let traces: Trace[] = [];
  const flush = async (): Promise<void> => {
    if (tasks.length > 0) await writer.appendTasks(tasks);
    if (traces.length > 0) await writer.appendTraces(traces);
    [tasks, traces] = [[], []];
  };
  for await (const found of rolloutsAt(survey.files, survey.format, dist)) {
    if ('unfit' in found) continue;
    const { rollout } = found;
    const epoch = epochOf.get(rollout.step) ?? 1;
    const key = taskKey(rollout);
    let id = ids.get(key);
    if (id === undefined) {
      id = names.next(rollout.task ?? String(ids.size + 1));
      ids.set(key, id);
      tasks.push(taskOf(id, rollout, epoch));
    }
    const verdict = verdictOf(rollout, choices);
    const how: Judged = verdict.error !== undefined ? 'unjudged' : verdict.success ? 'solved' : 'failed';
    const index = epochs.add(epoch, id, {
      how,
      truncated: rollout.stopReason === 'length',
      tokens: rollout.tokens,
    });
    traces.push(traceOf(id, { rollout, epoch, index, verdict }));
    if (traces.length >= batch) await flush();
  }
  await flush();
}

/** Names that no other task has, without spaces and slashes. */
class FreeNames {
  readonly #taken = new Set<string>();
  /** The number to try next: many rows may want one name. */
  readonly #next = new Map<string, number>();

  next(wanted: string): string {
    const name = `task.${wanted.replaceAll(/[\s/]+/g, '-')}`;
    let free = name;
    let n = this.#next.get(name) ?? 2;
    for (; this.#taken.has(free); n++) free = `${name}.${n}`;
    this.#next.set(name, n);
    this.#taken.add(free);
    return free;
  }
}

const taskOf = (id: string, { prompt, tools, gold }: Rollout, epoch: number): Task => ({
  ...{ v: 1, id, family: id, epoch, origin: 'offline', seed: null, status: 'accepted', prompt },
  ...(tools.length > 0 && { tools }),
  ...{ evaluation: { kind: 'imported' }, gold, complexity: {}, plan: '' },
});

function traceOf(
  task: string,
  { rollout, epoch, index, verdict }: { rollout: Rollout; epoch: number; index: number; verdict: Verdict },
): Trace {
  const { messages, version, stopReason, tokens } = rollout;
  return {
    ...{ v: 1, id: `e${epoch}/${task}/r${index}`, purpose: 'train', task, family: task, epoch },
    ...{ version: version ?? 'imported', messages, stopReason, verdict },
    // How many were sampled is known sometimes, which ones never.
    sequences: tokens === null ? [] : [{ tokens: [], spans: [[0, tokens]], logprobs: [] }],
  };
}

function verdictOf(rollout: Rollout, choices: RolloutChoices): Verdict {
  const { reward, parts, error } = rollout;
  const success = isSolved(rollout, choices);
  const told = error ?? (success === null ? l10n.t('the file says no verdict') : null);
  const all = { ...parts, ...(isCut(rollout) && reward !== null && { reward }) };
  return {
    success: success ?? false,
    reward: Math.min(1, Math.max(0, reward ?? Number(success ?? false))),
    ...(Object.keys(all).length > 0 && { parts: all }),
    valid: told === null,
    ...defined({ error: told ?? undefined }),
  };
}
