/** Test sets in the folder of an experiment: those that its written tasks are compared with, and those left out. */
import * as l10n from '@vscode/l10n';
import { resolve } from 'node:path';
import { domainsOf } from '../../../shared/experiment/tasks/domains.ts';
import type { Experiment } from '../../../shared/experiment/schema.ts';
import type { TestSetTask } from '../../../engine/ports.ts';
import { findTestSets } from '../../../launch/inputs/foundTestSets.ts';
import type { Finding } from '../contract.ts';
import { count } from '../../../shared/text/figures/numbers.ts';

export interface TestSetsCheck {
  /** Their names with counts, behind the files' sentence; '' without any. */
  sentence: string;
  doubts: readonly Pick<Finding, 'severity' | 'message' | 'remedy' | 'field'>[];
}

/** @param loaded the tasks of `generation.testSets`; null where it names none */
export async function testSetsCheck(
  experiment: Experiment,
  { directory, loaded }: { directory: string; loaded: readonly TestSetTask[] | null },
): Promise<TestSetsCheck> {
  const { generation, evaluation, mode } = experiment;
  if (mode === 'offline' || generation.heldOutRun === null) return { sentence: '', doubts: [] };
  if (loaded !== null) {
    const named = [...Map.groupBy(loaded, ({ of }) => of)].map(([of, tasks]) => `${of} (${count(tasks.length)})`);
    const sentence = ` ${named.length === 0 ? l10n.t('No test set was found.') : l10n.t('Not to be written: {0}.', named.join(', '))}`;
    return { sentence, doubts: [] };
  }
  // A run already refuses the tasks that it measures with.
  const own = new Set([evaluation.adapter, ...domainsOf(experiment).map(({ settings }) => settings.file)]);
  const paths = new Set([...own].flatMap((file) => (file === null ? [] : resolve(directory, file))));
  const left = (await findTestSets(directory)).filter(({ path }) => !paths.has(path));
  if (left.length === 0) return { sentence: '', doubts: [] };
  const message = l10n.t(
    'Written tasks are not compared with the test sets that lie here: {0}.',
    left.map(({ name, splits }) => `${name} (${splits.join(', ')})`).join(', '),
  );
  const remedy = l10n.t('Set generation.testSets to "found", so that the run refuses their tasks.');
  return { sentence: '', doubts: [{ severity: 'warning', message, remedy, field: 'generation.testSets' }] };
}
