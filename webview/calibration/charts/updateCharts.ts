/** Small charts of the policies' movement, of rejected texts, and of time. */
import type { Caps } from '../../../src/shared/report/caps.ts';
import type { EpochRow, Seconds } from '../../../src/shared/report/data.ts';
import { defined } from '../../../src/shared/defined.ts';
import { duration } from '../../../src/shared/text/figures/durations.ts';
import { approximate, compact, count, measure, nats, number } from '../../../src/shared/text/figures/numbers.ts';
import { percent } from '../../../src/shared/text/figures/shares.ts';
import * as l10n from '@vscode/l10n';
import { mismatchNote, mismatchOf, mismatchReading, mostMismatch } from '../../report/mismatch/mismatchWords.ts';
import { rejectionReading, rejectionTotals, timeReading, updateReading } from '../../report/readings.ts';
import { lateNote } from '../../report/fellOut/lateNote.ts';
import { fellOutLines } from '../../report/fellOut/fellOutLines.ts';
import { fellOutNote, fellOutReading } from '../../report/fellOut/fellOutWords.ts';
import { slotLines, slotNote, slotReading } from '../../report/timeline/slotWords.ts';
import { epochColumn, linesShown, ofPolicies, type SmallChart } from './smallCharts.ts';

/** In functions, so that titles are read in the page's language. */
export function updateCharts(): SmallChart[] {
  return [klStart(), klUpdate(), mismatch()];
}

export function effortCharts(): SmallChart[] {
  return [rejections(), throughput(), time(), slots(), fellOut()];
}

/** Beside the phase portrait. */
export function policyCharts(): SmallChart[] {
  return [entropy(), gradients()];
}

const entropy = (): SmallChart => ({
  id: 'entropy',
  whole: true,
  title: l10n.t('Entropy of the policies'),
  show(model) {
    const shown = linesShown(
      model,
      ofPolicies(
        ({ agent }) => agent.entropy,
        ({ environment }) => environment.entropy,
      ),
      { unit: l10n.t('nats per token'), format: nats },
    );
    return 'missing' in shown ? { missing: l10n.t('No entropy has been measured yet.') } : shown;
  },
});

const gradients = (): SmallChart => ({
  id: 'gradients',
  whole: true,
  title: l10n.t('Gradient norms'),
  show(model) {
    const shown = linesShown(
      model,
      ofPolicies(
        ({ agent }) => agent.gradNorm,
        ({ environment }) => environment.gradNorm,
      ),
      { unit: l10n.t('L2 norm before clipping, last step'), format: measure },
    );
    return 'missing' in shown ? { missing: l10n.t('No gradient norm has been recorded yet.') } : shown;
  },
});

const noCaps: Caps = { update: null, total: null, since: { update: null, total: null } };

/** @param since the epoch from which on it is in force, where there was another before */
function capLines(cap: number | null, since: number | null) {
  if (cap === null) return [];
  const label = since === null ? l10n.t('cap {0}', number(cap)) : l10n.t('cap {0} from epoch {1}', number(cap), since);
  return [{ label, value: cap }];
}

const klStart = (): SmallChart => ({
  id: 'kl-start',
  whole: true,
  title: l10n.t('KL from the start'),
  show(model) {
    const { total: cap, since } = model.facts?.caps ?? noCaps;
    const shown = linesShown(
      model,
      ofPolicies(
        ({ agent }) => agent.klInitial,
        ({ environment }) => environment.klInitial,
      ),
      { unit: l10n.t('nats per token'), format: nats },
    );
    if ('missing' in shown || shown.lines === undefined)
      return { missing: l10n.t('No divergence from the initial policies has been measured.') };
    const references = capLines(cap, since.total);
    return {
      ...shown,
      lines: { ...shown.lines, references },
      ...(cap === null && { note: l10n.t('No total cap is set.') }),
    };
  },
});

const klUpdate = (): SmallChart => ({
  id: 'kl-update',
  whole: true,
  title: l10n.t('KL of one update'),
  show(model) {
    const caps = model.facts?.caps ?? noCaps;
    const trained = model.facts?.trains.environment ?? false;
    const shown = linesShown(
      model,
      ofPolicies(
        ({ agent }) => agent.klUpdate,
        ({ environment }) => environment.klUpdate,
      ),
      {
        unit: l10n.t('nats per token'),
        format: nats,
        ...(trained && { reading: updateReading(model.rows, caps) }),
      },
    );
    if ('missing' in shown || shown.lines === undefined) return { missing: l10n.t('No policy has been updated yet.') };
    const references = trained ? capLines(caps.update, caps.since.update) : [];
    const capped = model.rows.filter(({ environment: { stoppedBy } }) => stoppedBy !== null && stoppedBy !== 'end');
    const crosses = { epochs: capped.map(({ epoch }) => epoch), label: l10n.t('× stopped at a cap') };
    return {
      ...shown,
      lines: { ...shown.lines, references, crosses },
      ...(capped.length > 0 && { note: l10n.t('× {0} updates stopped early at a cap.', capped.length) }),
    };
  },
});

const mismatch = (): SmallChart => ({
  id: 'mismatch',
  whole: true,
  title: l10n.t('Sampler against trainer'),
  show(model) {
    const shown = linesShown(
      model,
      [
        { label: '½ (q − p)²', tone: 'agent', mark: 'circle', value: mismatchOf },
        {
          label: 'q − p',
          tone: 'muted',
          mark: 'square',
          dashed: true,
          value: ({ agent }) => agent.mismatch?.v1 ?? null,
        },
      ],
      { unit: l10n.t('nats per token'), format: nats, reading: mismatchReading(model.rows) },
    );
    if ('missing' in shown || shown.lines === undefined)
      return { missing: l10n.t('No update has told how far sampler and trainer were apart.') };
    const references = [{ label: l10n.t('too large {0}', number(mostMismatch)), value: mostMismatch }];
    return { ...shown, note: mismatchNote(), lines: { ...shown.lines, references } };
  },
});

/** More causes than these are drawn as one. */
const mostCauses = 4;

const rejections = (): SmallChart => ({
  id: 'rejections',
  title: l10n.t('Texts rejected, by cause'),
  show({ rows }) {
    const writing = rows.filter(({ written }) => written > 0);
    if (writing.length === 0) return { missing: l10n.t('Nothing has been written in these epochs.') };
    const totals = rejectionTotals(rows);
    if (totals.length === 0) return { missing: l10n.t('None: every text the environment wrote became a task.') };
    const drawn = totals.slice(0, mostCauses).map(({ cause }) => ({ causes: [cause], label: cause }));
    const rest = totals.slice(mostCauses).map(({ cause }) => cause);
    if (rest.length > 0) drawn.push({ causes: rest, label: l10n.t('other') });
    const last = writing.at(-1);
    return {
      reading: rejectionReading(rows),
      ...(last !== undefined && { value: l10n.t('{0} of {1}', last.written - last.accepted, last.written) }),
      unit: l10n.t('texts'),
      format: compact,
      stack: {
        layers: drawn.map(({ label }, i) => ({ label, fill: `fill-environment-${i + 1}` })),
        rows: writing.map(({ epoch, rejected }) => ({
          epoch,
          values: drawn.map(({ causes }) => causes.reduce((sum, cause) => sum + (rejected[cause] ?? 0), 0)),
        })),
        normalise: false,
        formatPart: count,
      },
      columns: [
        epochColumn(),
        { title: l10n.t('Written'), format: count },
        { title: l10n.t('Accepted'), format: count },
        ...totals.map(({ cause }) => ({ title: cause, format: count })),
      ],
      rows: writing.map(({ epoch, written, accepted, rejected }) => [
        epoch,
        written,
        accepted,
        ...totals.map(({ cause }) => rejected[cause] ?? 0),
      ]),
    };
  },
});

const perSecond = (tokens: number | null, seconds: number | null): number | null =>
  tokens === null || seconds === null || seconds === 0 || tokens === 0 ? null : tokens / seconds;

const throughput = (): SmallChart => ({
  id: 'throughput',
  whole: true,
  title: l10n.t('Tokens sampled per second'),
  show(model) {
    const shown = linesShown(
      model,
      ofPolicies(
        ({ tokens, seconds }) => perSecond(tokens.attempt, seconds.attempt),
        ({ tokens, seconds }) => perSecond(tokens.generate, seconds.generate),
        l10n.t('tokens/s'),
      ),
      { unit: l10n.t('tokens/s'), format: approximate },
    );
    return 'missing' in shown ? shown : { ...shown, ...defined({ note: lateNote(model.rows) }) };
  },
});

const slots = (): SmallChart => ({
  id: 'slots',
  whole: true,
  title: l10n.t('Slots busy'),
  absent: ({ rows }) => rows.every((row) => row.slots === undefined || row.slots.length === 0),
  show(model) {
    const lines = slotLines(model.rows);
    const shown = linesShown(model, lines, {
      unit: l10n.t('share of slots'),
      format: percent,
      reading: slotReading(model.rows, lines),
    });
    return 'missing' in shown ? shown : { ...shown, note: slotNote() };
  },
});

const fellOut = (): SmallChart => ({
  id: 'fell-out',
  whole: true,
  title: l10n.t('Groups that fell out'),
  absent: ({ rows }) => rows.every((row) => row.fellOut === undefined),
  show(model) {
    const shown = linesShown(model, fellOutLines(), {
      unit: l10n.t('share'),
      format: percent,
      reading: fellOutReading(model.rows),
    });
    return 'missing' in shown ? shown : { ...shown, note: fellOutNote() };
  },
});

const time = (): SmallChart => ({
  id: 'time',
  whole: true,
  title: l10n.t('Time by phase'),
  show({ rows }) {
    const phases: { key: keyof Seconds; label: string; fill: string }[] = [
      { key: 'generate', label: l10n.t('write tasks'), fill: 'fill-environment-3' },
      { key: 'environment', label: l10n.t('update environment'), fill: 'fill-environment-1' },
      { key: 'attempt', label: l10n.t('attempt tasks'), fill: 'fill-agent-3' },
      { key: 'agent', label: l10n.t('update agent'), fill: 'fill-agent' },
      { key: 'validate', label: l10n.t('validate'), fill: 'fill-muted-2' },
      { key: 'other', label: l10n.t('everything else'), fill: 'fill-muted' },
    ];
    const totals = phases
      .map((phase) => ({ ...phase, seconds: rows.reduce((sum, { seconds }) => sum + (seconds[phase.key] ?? 0), 0) }))
      .filter(({ seconds }) => seconds > 0);
    if (totals.length === 0) return { missing: l10n.t('No phase has finished yet.') };
    const inPhases = ({ seconds }: EpochRow): number => totals.reduce((sum, { key }) => sum + (seconds[key] ?? 0), 0);
    const spent = rows.reduce((sum, row) => sum + (row.seconds.whole ?? inPhases(row)), 0);
    const last = rows.findLast(({ seconds }) => seconds.whole !== null)?.seconds.whole ?? null;
    return {
      reading: timeReading(spent, totals),
      ...(last !== null && { value: l10n.t('{0} an epoch', duration(last)) }),
      note: l10n.t(
        'The two updates run side by side and each is counted in full: where they overlap a bar stands for more than its epoch took.',
      ),
      unit: l10n.t('seconds'),
      format: number,
      stack: {
        layers: totals,
        rows: rows.map(({ epoch, seconds }) => ({
          epoch,
          values: totals.map(({ key }) => seconds[key] ?? 0),
        })),
        normalise: false,
        formatPart: duration,
      },
      columns: [
        epochColumn(),
        ...totals.map(({ label }) => ({ title: label, format: duration })),
        { title: l10n.t('on the clock'), format: duration },
      ],
      rows: rows.map(({ epoch, seconds }) => [epoch, ...totals.map(({ key }) => seconds[key]), seconds.whole]),
    };
  },
});
