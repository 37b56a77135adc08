/** `compare_runs`: runs side by side, and their last validations task by task. */
import * as z from 'zod';
import { sideOfBand } from '../../../../engine/math/curriculum.ts';
import { taskTries } from '../../../../engine/math/paired/taskTries.ts';
import { EpochFold } from '../../../../runs/facts/epochFold.ts';
import { lineageOf, type Lineage } from '../../../../runs/journal/lineage.ts';
import type { RunReader } from '../../../../runs/store/runReader.ts';
import { CompareFold } from '../../../compare/core/compareFold.ts';
import { measuredDifferently, type HowMeasured } from '../../../compare/core/measuredDifferently.ts';
import { settingTexts } from '../../../compare/core/settingTexts.ts';
import { compareShared, type Validated } from '../../../compare/core/sharedTasks.ts';
import { howMeasured } from '../../../compare/node/howMeasured.ts';
import { validatedTasks } from '../../../compare/node/validatedTasks.ts';
import { AgentError } from '../../core/agentError.ts';
import { differenceText, numberText, rateText, zoneText } from '../../core/figures.ts';
import { dataNotice, named, table } from '../../core/quoting.ts';
import { tool } from '../../core/tool.ts';
import type { AgentContext } from '../agentContext.ts';
import { domainFromCopies } from '../givenTasks.ts';
import { runField } from './runs.ts';
import { count } from '../../../../shared/text/figures/numbers.ts';

/** More settings that differ than this make no table that helps. */
const mostSettings = 40;

/** The figures of a run in a comparison; made while its journal is read, so that one run is open at a time. */
interface Compared {
  id: string;
  name: string;
  cells: string[];
  settings: Record<string, string>;
  /** Its last validation, and after which epoch; null without; where its tasks or its attempts are not known, which of them. */
  validated: (Validated & HowMeasured & { epoch: number }) | 'tasks' | 'attempts' | null;
}

export const compareRuns = tool({
  name: 'compare_runs',
  title: 'Compare Runs',
  description:
    'Two to six runs side by side: last p̂ and zone, last validation with its interval, what was spent, the settings in ' +
    'which they differ, and the paired difference of their last validations on the tasks that both were validated on.',
  does: 'read',
  input: z.strictObject({ runs: z.array(runField).min(2).max(6) }),
  answer: async (context: AgentContext, asked) => {
    const runs: Compared[] = [];
    for (const id of asked.runs) runs.push(await context.withRun(id, compared));
    const ids = runs.map(({ id }) => id);
    if (new Set(ids).size < ids.length) {
      throw new AgentError('bad-input', 'A run is named twice.', 'Name two to six different runs.');
    }
    const heads = [
      'run',
      'epochs',
      'last p̂ [95 %]',
      'zone',
      'share in band',
      'last validation [95 %]',
      'rollouts',
      'tokens',
      'seconds',
    ];
    const figures = runs.map(({ id, name, cells }) => [`${context.link(id, { run: id })} ${named(name)}`, ...cells]);
    return [
      ...table(heads, figures),
      ...settingLines(runs),
      '',
      '## Last validations, task by task',
      '',
      ...differencesByTask(runs),
      '',
      dataNotice,
    ].join('\n');
  },
});

async function compared(run: RunReader): Promise<Compared> {
  const fold = new EpochFold();
  const course = new CompareFold();
  for await (const event of run.events()) {
    fold.add(event);
    course.add(event);
  }
  const head = await run.head();
  const last = fold.rows.findLast(({ successRate }) => successRate !== null);
  const validation = course.validations.at(-1);
  const p = last?.successRate?.p ?? null;
  const lineage = await lineageOf(run.dir, run.manifest);
  return {
    id: run.id,
    name: head.name,
    cells: [
      `${head.current}/${head.epochs} (${head.state})`,
      rateText(last?.successRate ?? null),
      last === undefined || p === null ? '–' : zoneText(sideOfBand(p, last.curriculum)),
      numberText(last?.inBand ?? null),
      rateText(validation?.successRate ?? null),
      count(fold.totals.rollouts),
      fold.totals.tokens === null ? 'not known' : count(fold.totals.tokens),
      String(Math.round(fold.totals.seconds)),
    ],
    settings: settingTexts(lineage, course.changes),
    validated: validation === undefined ? null : await lastValidated(run, lineage, validation.epoch, course),
  };
}

async function lastValidated(
  run: RunReader,
  lineage: Lineage,
  epoch: number,
  course: CompareFold,
): Promise<Compared['validated']> {
  const measured = course.measured(epoch);
  if (measured === undefined) return null;
  const tries = taskTries(measured);
  if (tries === null) return 'attempts';
  const { dir, manifest } = run;
  const tasks = await validatedTasks(
    { experiment: manifest.experiment, lineage },
    { epoch, tasks: tries.length },
    async (experiment) => (await domainFromCopies({ dir, manifest: { ...manifest, experiment } })).domain,
  );
  return tasks === null ? 'tasks' : { epoch, tries, tasks, ...(await howMeasured(dir, lineage, epoch)) };
}

function settingLines(runs: readonly Compared[]): string[] {
  const paths = [...new Set(runs.flatMap(({ settings }) => Object.keys(settings)))].filter(
    (path) => new Set(runs.map(({ settings }) => settings[path])).size > 1,
  );
  if (paths.length === 0) return ['', 'Their settings are the same.'];
  const left = paths.length - mostSettings;
  return [
    '',
    '## Settings that differ',
    '',
    ...table(
      ['setting', ...runs.map(({ id }) => named(id))],
      paths
        .slice(0, mostSettings)
        .map((path) => [path, ...runs.map(({ settings }) => named(settings[path] ?? 'not set'))]),
    ),
    ...(left > 0 ? [`${left} more differ: read_run with settings="all" shows them.`] : []),
  ];
}

/** Of the last validations, each against the first run. */
function differencesByTask([first, ...others]: readonly Compared[]): string[] {
  if (first === undefined) return [];
  return others.map((other) => {
    const pair = `${named(other.id)} − ${named(first.id)}`;
    if (first.validated === null || other.validated === null) return `- ${pair}: not both were validated.`;
    if (first.validated === 'attempts' || other.validated === 'attempts')
      return `- ${pair}: the journal of one, of an older version, does not tell how often each task was solved.`;
    if (first.validated === 'tasks' || other.validated === 'tasks')
      return `- ${pair}: the tasks of one are no longer known: the run that it was branched from is gone, or another version made them.`;
    const shared = compareShared(first.validated, other.validated);
    if (shared === null) return `- ${pair}: they were validated on no task in common.`;
    const { paired } = shared;
    const differing = measuredDifferently(first.validated, other.validated);
    const caveat =
      differing.length === 0
        ? ''
        : ` They were measured differently, which may explain the difference: ${differing.join(', ')}.`;
    const [gained, lost] = paired.single ? ['gained', 'lost'] : ['solved more often', 'less often'];
    return `- ${pair}: ${differenceText(paired)} on ${paired.tasks} shared tasks; ${paired.gained} ${gained}, ${paired.lost} ${lost} (after epochs ${other.validated.epoch} and ${first.validated.epoch}).${caveat}`;
  });
}
