/** `list_runs` and `read_run`: the list of runs, and one run’s figures. */
import { measureNote } from '../../../../shared/report/measureNote.ts';
import * as z from 'zod';
import { sideOfBand } from '../../../../engine/math/curriculum.ts';
import { conclude } from '../../../../runs/facts/conclusion.ts';
import { EpochFold } from '../../../../runs/facts/epochFold.ts';
import { RunFacts } from '../../../../runs/facts/runFacts.ts';
import { lineageOf } from '../../../../runs/journal/lineage.ts';
import { settingRows } from '../../../../runs/facts/settings.ts';
import type { RunHead } from '../../../../runs/store/runHead.ts';
import type { RunReader } from '../../../../runs/store/runReader.ts';
import type { EpochRow } from '../../../../shared/report/data.ts';
import { differenceText, numberText, rateText, zoneText } from '../../core/figures.ts';
import { dataNotice, named, sentence, table } from '../../core/quoting.ts';
import { page, paged, tool } from '../../core/tool.ts';
import type { AgentContext } from '../agentContext.ts';
import { ends } from '../../../../shared/text/figures/intervals.ts';
import { count, fixed } from '../../../../shared/text/figures/numbers.ts';
import { cutOffClause } from '../../../../shared/text/cutOff.ts';

export const runField = z
  .string()
  .min(1)
  .max(300)
  .describe('Id of a run, or the beginning of one, as list_runs names it.');

export const listRuns = tool({
  name: 'list_runs',
  title: 'List Runs',
  description:
    'Lists the runs of this folder, newest first: id, name, mode, state, epochs and the last p̂ with its interval.',
  does: 'read',
  input: z.strictObject(page),
  answer: async (context: AgentContext, asked) => {
    const { heads, problems } = await context.heads();
    if (heads.length === 0 && problems.length === 0) {
      return 'There is no run yet. A person runs an experiment (*.genenv.json) with “genenv run FILE” or in the editor.';
    }
    const { rows, rest } = paged(heads, asked);
    const lines = table(
      ['run', 'name', 'mode', 'state', 'epochs', 'p̂ of the last epoch'],
      rows.map((head) => [
        context.link(head.id, { run: head.id }),
        named(head.name),
        head.mode,
        stateText(head),
        epochsText(head),
        rateText(head.summary?.successRate ?? null),
      ]),
    );
    const unread = problems.slice(0, 5).map(({ id, why }) => `- ${named(id)} cannot be read: ${named(why)}`);
    const more = problems.length > 5 ? [`- and ${problems.length - 5} more that cannot be read`] : [];
    return [...lines, '', ...rest, ...unread, ...more, dataNotice].join('\n');
  },
});

const stateText = ({ state, imported }: RunHead): string =>
  imported === null ? state : `imported (${named(imported)})`;
const epochsText = ({ current, epochs }: RunHead): string => `${current}/${epochs}`;

export const readRun = tool({
  name: 'read_run',
  title: 'Read a Run',
  description:
    'A run’s figures: p̂ by epoch with its 95 % interval and zone (too hard, in band, too easy), validation with ' +
    'intervals and the paired change, guards that hold (what looks wrong, and what to do), a conclusion in plain ' +
    'sentences, and the settings.',
  does: 'read',
  input: z.strictObject({
    run: runField,
    fromEpoch: z.int().nonnegative().optional().describe('First epoch to show; without it the last ones are shown.'),
    limit: page.limit,
    settings: z
      .enum(['changed', 'all', 'none'])
      .default('changed')
      .describe('Which settings: those that differ from the preset, all, or none.'),
  }),
  answer: (context: AgentContext, asked) =>
    context.withRun(asked.run, async (run) => {
      const head = await run.head();
      const facts = new RunFacts(await lineageOf(run.dir, run.manifest));
      const fold = new EpochFold();
      for await (const event of run.events()) {
        facts.add(event);
        fold.add(event);
      }
      return [
        `# ${named(head.name)}`,
        '',
        `Run ${context.link(run.id, { run: run.id })}, mode ${head.mode}, ${stateText(head)}, ${epochsText(head)} epochs, started ${head.startedAt}.`,
        `Spent: ${count(fold.totals.rollouts)} rollouts, ${fold.totals.tokens === null ? 'an unknown number of' : count(fold.totals.tokens)} tokens, ${count(fold.totals.seconds)} s.`,
        ...epochLines(context, run, fold.rows, asked),
        ...validationLines(fold),
        ...guardLines(facts),
        '',
        '## Conclusion',
        '',
        ...conclude(facts.light).sentences.map((text) => `- ${sentence(text)}`),
        ...changeLines(fold),
        ...settingLines(run, asked.settings),
        '',
        dataNotice,
      ].join('\n');
    }),
});

function epochLines(
  context: AgentContext,
  run: RunReader,
  rows: readonly EpochRow[],
  { fromEpoch, limit }: { fromEpoch?: number | undefined; limit: number },
): string[] {
  if (rows.length === 0) return ['', 'No epoch has begun yet.'];
  const first =
    fromEpoch === undefined ? Math.max(0, rows.length - limit) : rows.findIndex(({ epoch }) => epoch >= fromEpoch);
  if (first < 0) return ['', `There is no epoch ${fromEpoch ?? 0} yet; the last is ${rows.at(-1)?.epoch ?? 0}.`];
  const shown = rows.slice(first, first + limit);
  const left = rows.length - first - shown.length;
  return [
    '',
    '## Epochs',
    '',
    ...table(
      ['epoch', 'p̂ [95 %]', 'zone', 'share in band', 'R_env', 'families kept', 'rollouts', 'texts accepted'],
      shown.map((row) => [
        context.link(String(row.epoch), { run: run.id, epoch: row.epoch }),
        rateText(row.successRate),
        row.successRate?.p == null ? '–' : zoneText(sideOfBand(row.successRate.p, row.curriculum)),
        numberText(row.inBand),
        numberText(row.environmentReward),
        `${row.familiesKept}/${row.families}`,
        String(row.rollouts),
        `${row.accepted}/${row.written}`,
      ]),
    ),
    '',
    ...(first > 0 ? [`${first} earlier: call again with fromEpoch=1.`] : []),
    ...(left > 0 ? [`${left} later: call again with fromEpoch=${(shown.at(-1)?.epoch ?? 0) + 1}.`] : []),
  ];
}

function validationLines({ validations, evaluations }: EpochFold): string[] {
  const shown = validations.length <= 12 ? validations : [...validations.slice(0, 1), ...validations.slice(-11)];
  const last = validations.at(-1);
  return [
    '',
    '## Validation on held-out tasks',
    '',
    ...(last === undefined
      ? ['The agent was not validated yet.']
      : table(
          ['after epoch', 'solved [95 %]', 'change from the first measured alike, task by task [95 %]'],
          shown.map(({ epoch, successRate, change, unpaired }) => [
            String(epoch),
            rateText(successRate),
            change === null
              ? unpaired === 'attempts'
                ? 'an older journal does not tell'
                : '–'
              : differenceText(change),
          ]),
        )),
    ...(last?.measure ? [measureNote(last.measure)] : []),
    ...(shown.length < validations.length
      ? [`${validations.length - shown.length} validations between the first and these are left out.`]
      : []),
    ...(last?.truncated ? [`In the last one ${cutOffClause(last.truncated)}.`] : []),
    ...evaluations.slice(-3).map(({ epoch, benchmark, tasks, attempts, truncated, pass: [first] }) => {
      const value = first?.value ?? null;
      const interval =
        first === undefined || value === null
          ? '–'
          : `${fixed(value, 3)} ${ends(fixed(first.low, 3), fixed(first.high, 3))}`;
      const cut = truncated === null || truncated === 0 ? '' : ` ${cutOffClause(truncated, tasks * attempts)}.`;
      return `- Benchmark ${named(benchmark)} after epoch ${epoch}: pass@1 ${interval} on ${tasks} tasks.${cut}`;
    }),
  ];
}

function guardLines({ guards }: RunFacts): string[] {
  const findings = guards.findings();
  const lines = findings.map(
    ({ guard, since, message, remedy, field }) =>
      `- ${guard}, since epoch ${since} (setting ${field}): ${sentence(message)} ${sentence(remedy)}`,
  );
  return ['', '## Guards', '', ...(lines.length === 0 ? ['No guard has anything to say.'] : lines)];
}

function changeLines({ changes }: EpochFold): string[] {
  const shown = changes.slice(-20);
  const lines = shown.map(({ epoch, text, author }) => `- epoch ${epoch}: ${named(text)} (${named(author)})`);
  const rest = changes.length > shown.length ? [`- and ${changes.length - shown.length} earlier`] : [];
  return lines.length === 0 ? [] : ['', '## Settings changed on the way', '', ...lines, ...rest];
}

function settingLines({ manifest: { experiment } }: RunReader, which: 'changed' | 'all' | 'none'): string[] {
  if (which === 'none') return [];
  const rows = settingRows(experiment);
  const shown = which === 'all' ? rows : rows.filter(({ preset }) => preset !== null);
  return [
    '',
    `## Settings (preset ${named(experiment.preset)}, seed ${experiment.seed})`,
    '',
    ...table(
      ['setting', 'value', 'preset'],
      shown.map(({ path, value, preset }) => [path, named(value), preset === null ? 'the same' : named(preset)]),
    ),
    ...(which === 'all' ? [] : [`${rows.length - shown.length} more are as in the preset: settings="all" shows them.`]),
  ];
}
