/** Small charts of the agent's learning: validation, teachable groups, rewards and their parts, lengths. */
import type { Groups } from '../../../src/shared/report/data.ts';
import type { RewardRow } from '../../../src/features/calibration/contract.ts';
import { interval } from '../../../src/shared/text/figures/intervals.ts';
import { count, measure, rate } from '../../../src/shared/text/figures/numbers.ts';
import { percent, signed } from '../../../src/shared/text/figures/shares.ts';
import type { LineSeries } from '../../charts/lineChart.ts';
import * as l10n from '@vscode/l10n';
import { baselineOf, evaluationReading, groupsReading, validationReading } from '../../report/readings.ts';
import { passKs, passLines } from '../../report/passLines.ts';
import { domainsIn, validationOfDomain } from '../../../src/shared/report/oneDomain.ts';
import { domainLook } from '../../report/domainLook.ts';
import { epochColumn, linesShown, notMeasured, pointsOf, type SmallChart } from './smallCharts.ts';

/** In a function, so that titles are read in the page's language. */
export function learningCharts(): SmallChart[] {
  return [validation(), benchmark(), groups(), rewardParts(), lengths()];
}

const validation = (): SmallChart => ({
  id: 'validation',
  title: l10n.t('Validation'),
  show({ validations, facts }) {
    const domains = domainsIn(validations);
    const last = validations.at(-1);
    const first = last && baselineOf(validations, last);
    if (first?.successRate.p == null || last?.successRate.p == null) {
      const off = facts?.validationEvery === 0;
      return { missing: off ? l10n.t('Off: validation.every is 0.') : l10n.t('The agent has not been validated yet.') };
    }
    const start = first.epoch === 0 ? l10n.t('start') : l10n.t('epoch {0}', first.epoch);
    return {
      reading: validationReading(validations),
      value: `${rate(last.successRate.p)} (${interval(last.successRate.low, last.successRate.high)})`,
      ...(last.change !== null && {
        note: l10n.t('{0} points since the {1}, task by task', signed(100 * last.change.difference, 1), start),
      }),
      unit: l10n.t('success rate'),
      format: rate,
      lines: {
        series: [
          {
            label: l10n.t('agent'),
            tone: 'agent',
            mark: 'circle',
            points: validations.flatMap(({ epoch, successRate: { p, low, high } }) =>
              p === null ? [] : [{ epoch, value: p, low, high }],
            ),
          },
          ...domains.map((domain, i) => ({
            ...domainLook(domain, i),
            points: pointsOf(validations, (row) => validationOfDomain(row, domain)?.successRate.p),
          })),
        ],
        references: [{ label: `${start} ${rate(first.successRate.p)}`, value: first.successRate.p }],
      },
      columns: [
        epochColumn(),
        { title: l10n.t('Success rate'), format: rate },
        { title: l10n.t('low'), format: rate },
        { title: l10n.t('high'), format: rate },
        { title: l10n.t('Solved'), format: count },
        { title: l10n.t('Gained'), format: count },
        { title: l10n.t('Lost'), format: count },
        { title: l10n.t('Change'), format: (value) => signed(100 * value, 1) },
        ...domains.map((domain) => ({ title: domain, format: rate })),
      ],
      rows: validations.map((row) => {
        const { p, low, high, successes } = row.successRate;
        const { gained = null, lost = null, difference = null } = row.change ?? {};
        const own = domains.map((domain) => validationOfDomain(row, domain)?.successRate.p ?? null);
        return [row.epoch, p, low, high, successes, gained, lost, difference, ...own];
      }),
    };
  },
});

/** There only where the experiment names a benchmark. */
const benchmark = (): SmallChart => ({
  id: 'benchmark',
  whole: true,
  title: l10n.t('Benchmark'),
  absent: ({ evaluations }) => evaluations.length === 0,
  show({ evaluations }) {
    const last = evaluations.at(-1);
    const newest = last?.pass[0];
    if (last === undefined || newest?.value == null) {
      return { missing: l10n.t('The agent has not been evaluated yet.') };
    }
    const ks = passKs(evaluations);
    return {
      reading: evaluationReading(evaluations),
      value: `${rate(newest.value)} (${interval(newest.low, newest.high)})`,
      note: l10n.t('{0}, {1} tasks', last.benchmark, count(last.tasks)),
      unit: l10n.t('pass@k'),
      format: rate,
      lines: {
        series: passLines(evaluations),
      },
      columns: [
        epochColumn(),
        { title: l10n.t('Tasks'), format: count },
        ...ks.flatMap((k) => [
          { title: `pass@${k}`, format: rate },
          { title: l10n.t('low'), format: rate },
          { title: l10n.t('high'), format: rate },
        ]),
      ],
      rows: evaluations.map(({ epoch, tasks, pass }) => [
        epoch,
        tasks,
        ...ks.flatMap((k) => {
          const one = pass.find((own) => own.k === k);
          return [one?.value ?? null, one?.low ?? null, one?.high ?? null];
        }),
      ]),
    };
  },
});

const groups = (): SmallChart => ({
  id: 'groups',
  whole: true,
  title: l10n.t('What could teach the agent'),
  show({ rows, facts }) {
    const kinds: { key: keyof Groups; label: string; fill: string }[] = [
      { key: 'trained', label: l10n.t('rewards differ'), fill: 'fill-agent' },
      { key: 'solved', label: l10n.t('alike, solved'), fill: 'fill-agent-2' },
      { key: 'hopeless', label: l10n.t('alike, not solved'), fill: 'fill-muted' },
      { key: 'broken', label: l10n.t('not judged'), fill: 'fill-ink' },
    ];
    const known = rows.flatMap(({ epoch, groups: own }) => (own === null ? [] : [{ epoch, own }]));
    if (known.length === 0) {
      return facts?.trains.agent === false ? { missing: l10n.t('The agent is frozen in this run.') } : notMeasured();
    }
    const used = kinds.filter(({ key }) => known.some(({ own }) => own[key] > 0));
    return {
      reading: groupsReading(rows),
      unit: l10n.t('share of attempt groups'),
      format: percent,
      stack: {
        layers: used,
        rows: known.map(({ epoch, own }) => ({ epoch, values: used.map(({ key }) => own[key]) })),
        normalise: true,
        formatPart: count,
      },
      columns: [epochColumn(), ...kinds.map(({ label }) => ({ title: label, format: count }))],
      rows: known.map(({ epoch, own }) => [epoch, ...kinds.map(({ key }) => own[key])]),
    };
  },
});

const marks = ['square', 'diamond', 'circle'] as const;

const rewardParts = (): SmallChart => ({
  id: 'rewards',
  whole: true,
  title: l10n.t('Agent reward and its parts'),
  show({ rewards }) {
    const last = rewards.at(-1);
    if (last === undefined) return { missing: l10n.t('No attempt has been read yet.') };
    const names = [...new Set(rewards.flatMap(({ parts }) => Object.keys(parts)))];
    const line = (
      label: string,
      tone: LineSeries['tone'],
      i: number,
      value: (row: RewardRow) => number | undefined,
    ): LineSeries => ({
      label,
      tone,
      mark: marks[i % marks.length] ?? 'circle',
      dashed: i > 0,
      points: pointsOf(rewards, value),
    });
    const sampled = rewards.findLast((row) => row.sampled > 0);
    return {
      reading: l10n.t(
        'In epoch {0} the mean reward was {1}; {2} of {3} attempts had a valid answer.',
        last.epoch,
        rate(last.reward),
        percent(last.valid),
        count(last.attempts),
      ),
      value: rate(last.reward),
      ...(sampled !== undefined &&
        names.length > 0 && {
          note: l10n.t(
            'Parts: means over {0} of {1} attempts of an epoch, evenly chosen.',
            sampled.sampled,
            count(sampled.attempts),
          ),
        }),
      unit: l10n.t('mean per attempt'),
      format: rate,
      lines: {
        series: [
          line(l10n.t('reward'), 'agent', 0, ({ reward }) => reward),
          line(l10n.t('valid'), 'muted', 1, ({ valid }) => valid),
          ...names.map((name, i) => line(name, i % 2 === 0 ? 'ink' : 'muted', i + 2, ({ parts }) => parts[name])),
        ],
      },
      columns: [
        epochColumn(),
        { title: l10n.t('Attempts'), format: count },
        { title: l10n.t('Reward'), format: rate },
        { title: l10n.t('Success'), format: rate },
        { title: l10n.t('Valid'), format: rate },
        ...names.map((name) => ({ title: name, format: rate })),
        { title: l10n.t('Read for parts'), format: count },
      ],
      rows: rewards.map(({ epoch, attempts, reward, success, valid, parts, sampled: read }) => [
        epoch,
        attempts,
        reward,
        success,
        valid,
        ...names.map((name) => parts[name] ?? null),
        read,
      ]),
    };
  },
});

const lengths = (): SmallChart => ({
  id: 'lengths',
  title: l10n.t('Length of answers and tasks'),
  show: (model) =>
    linesShown(
      model,
      [
        {
          label: l10n.t('answers'),
          tone: 'agent',
          mark: 'circle',
          unit: l10n.t('tokens'),
          value: ({ answerLength }) => answerLength,
        },
        {
          label: l10n.t('tasks'),
          tone: 'environment',
          mark: 'square',
          dashed: true,
          unit: l10n.t('tokens'),
          value: ({ taskLength }) => taskLength,
        },
      ],
      { unit: l10n.t('tokens, mean'), format: measure },
    ),
});
