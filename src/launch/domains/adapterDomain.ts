/** An adapter with a recipe as the domain of a run: the file, and the tasks of its splits, as they are when the run is made. */
import * as l10n from '@vscode/l10n';
import { basename, join, resolve } from 'node:path';
import { AdapterRecipe, writes, type WritingAdapter } from '../../benchmarks/adapter/recipe/adapterRecipe.ts';
import type { MappedTask } from '../../benchmarks/adapter/mapRecord.ts';
import { isAdapterDomain } from '../../shared/domains/domainFile.ts';
import type { Experiment } from '../../shared/experiment/schema.ts';
import type { Place, Problem } from '../../shared/experiment/problems/problem.ts';
import { checkAdapter } from '../adapters/checkAdapter.ts';
import { DataError } from '../adapters/dataError.ts';
import { dataFolder } from '../adapters/locate.ts';
import { readAdapterFile } from '../adapters/readAdapterFile.ts';
import { InputError } from '../inputs/inputError.ts';
import { loadedFiles, readKeptFiles } from '../inputs/keptFiles.ts';
import type { ProgramTasks } from '../inputs/programTasks.ts';
import { openScorer } from '../scoring/openScorer.ts';
import type { LoadedDomain } from './loadedDomain.ts';

/** Number of record problems reported; the others are similar. */
const told = 5;

/** Null where the domain is no adapter. @throws InputError naming file, line and field */
export async function loadAdapterDomain({ domain }: Experiment, directory: string): Promise<LoadedDomain | null> {
  if (domain.file === null || !isAdapterDomain(domain)) return null;
  const path = resolve(directory, domain.file);
  const adapter = await writingAdapter(path);
  const { splits } = adapter.recipe;
  if (domain.seeds === null && splits === undefined) {
    const remedy = l10n.t('Name splits in recipe.splits.base of the adapter, or a task file in domain.seeds.');
    throw new InputError([problem(path, 'recipe.splits', l10n.t('There are no seed tasks.'), remedy)]);
  }
  return {
    ...(await loadedFiles(path, [path])),
    base: domain.seeds === null ? await tasksOf(adapter, path, splits?.base ?? []) : null,
    heldOut:
      domain.heldOut === null && splits?.heldOut !== undefined ? await tasksOf(adapter, path, splits.heldOut) : null,
    server: null,
    adapter,
  };
}

/** The run's own copy; null where the domain is no adapter. @throws InputError when it is missing or was damaged */
export async function keptAdapter({ domain }: Experiment, dir: string, folder: string): Promise<WritingAdapter | null> {
  if (!isAdapterDomain(domain)) return null;
  return writingAdapter(join(dir, folder, 'domain', (await readKeptFiles(dir, 'domain', folder)).file));
}

/** @throws InputError, also for an adapter without a recipe */
async function writingAdapter(path: string): Promise<WritingAdapter> {
  const { adapter } = await readAdapterFile(path, path, 'domain.file');
  if (writes(adapter)) return adapter;
  const message = l10n.t('The adapter {0} has no recipe, so no task can be written in its form.', adapter.name);
  throw new InputError([problem(path, 'recipe', message, l10n.t('Add “recipe” to it: docs/adapters.md, “Recipes”.'))]);
}

/** In the order of the records. @throws InputError */
async function tasksOf(adapter: WritingAdapter, path: string, splits: readonly string[]): Promise<ProgramTasks> {
  const folder = dataFolder(path, adapter.data);
  if (folder === null) {
    const message = l10n.t('Nothing says where the data of {0} lies.', adapter.name);
    throw new InputError([problem(path, 'data.folder', message, adapter.data.obtain)]);
  }
  const recipe = new AdapterRecipe('', adapter, await openScorer(null));
  const tasks = new Map<string, { task: MappedTask; place: Place }>();
  const unfit: Problem[] = [];
  try {
    for await (const found of checkAdapter(adapter, folder, { signal: new AbortController().signal, splits })) {
      if ('problem' in found) {
        unfit.push(found.problem);
        continue;
      }
      const misfit = recipe.misfit(found.task);
      if (misfit === null) {
        const place = { file: found.path, line: found.line, column: 1 };
        tasks.set(found.task.id, { task: found.task, place });
      } else
        unfit.push({
          ...problem(found.path, 'recipe.prompt', `${misfit}.`, l10n.t('Correct the template.')),
          line: found.line,
        });
    }
  } catch (error) {
    if (!(error instanceof DataError)) throw error;
    throw new InputError([problem(path, 'data.folder', error.message, error.remedy)]);
  }
  if (tasks.size > 0) {
    const all = [...tasks.values()];
    return {
      text: `${all.map(({ task }) => JSON.stringify(task)).join('\n')}\n`,
      given: all.map(({ task, place }) => ({ place, name: task.id })),
      leftOut: unfit.map((one) => ({
        ...one,
        ...{ severity: 'warning', why: 'unfit', name: `${basename(one.file)}:${one.line}` },
      })),
    };
  }
  const message = l10n.t('No record of {0} becomes a task.', splits.join(', '));
  throw new InputError([problem(path, 'recipe.splits', message, adapter.data.obtain), ...unfit.slice(0, told)]);
}

const problem = (file: string, field: string, message: string, remedy: string): Problem => ({
  ...{ file, line: 1, column: 1, field, message, remedy, severity: 'error' },
});
