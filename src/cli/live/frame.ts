/** The picture of a live run: pure, from state to lines that fit the terminal. */
import { append } from '../../shared/append.ts';
import { largest, smallest } from '../../shared/extremes.ts';
import type { SuccessRate } from '../../shared/journal/scores.ts';
import { bar } from '../draw/bar.ts';
import { intervalStrip } from '../draw/intervalStrip.ts';
import { sparkline } from '../draw/sparkline.ts';
import { displayWidth, truncate } from '../text/displayWidth.ts';
import { style } from '../text/style.ts';
import { onOneLine, styled, type Printable, type Styled } from '../text/styled.ts';
import { outlookOf, type LiveState, type PhaseProgress } from './liveState.ts';
import { currentEpoch } from '../../runs/facts/currentEpoch.ts';
import { duration } from '../../shared/text/figures/durations.ts';
import { measured } from '../../shared/text/figures/intervals.ts';
import { count, inColumn, rate } from '../../shared/text/figures/numbers.ts';
import { silenceInFull } from '../../shared/text/silence.ts';
import { percentToTenth } from '../../shared/text/figures/shares.ts';

/** Wider terminals get no wider bars. */
const widest = 100;

export interface Canvas {
  width: number;
  /** Lines there is room for. */
  height: number;
}

/** Lines of at most `width` cells and `height` rows; the least important lines are last and are cut first. */
export function frame(state: LiveState, now: number, { width, height }: Canvas): Styled[] {
  const room = Math.max(1, Math.min(width, widest));
  const blocks = [heading(state), progressLines(state, now, room), silenceLines(state), measures(state, room)];
  const courses = courseLines(state, room);
  const speed = flow(speedPieces(state), room).map((line) => style.dim(line));
  const lines: Printable[] = [...blocks.flat(), ...courses, ...speed];
  return lines.slice(0, Math.max(1, height)).map((line) => truncate(onOneLine(line), width));
}

function heading({ id, experiment }: LiveState): Printable[] {
  return [styled`${style.bold(experiment.name)}  ${style.dim(`${experiment.mode}  ${id}`)}`];
}

/** Pieces side by side, on as many lines as they need. */
function flow(pieces: readonly Printable[], width: number): Styled[] {
  const lines: Styled[] = [];
  for (const piece of pieces.map(onOneLine)) {
    if (String(piece) === '') continue;
    const line = lines.at(-1);
    const longer = line === undefined ? undefined : styled`${line}   ${piece}`;
    if (longer === undefined || displayWidth(longer) > width) lines.push(piece);
    else lines.splice(-1, 1, longer);
  }
  return lines;
}

function progressLines(state: LiveState, now: number, width: number): Printable[] {
  const { share, secondsLeft } = outlookOf(state, now);
  const left =
    state.ending !== null
      ? style.warn(state.ending)
      : secondsLeft === null
        ? 'time left not known yet'
        : state.run.finished === null
          ? `${duration(secondsLeft)} left`
          : 'done';
  const figures = styled`${Math.floor(100 * share)} %  ${left}`;
  const cells = Math.max(8, width - displayWidth(figures) - 2);
  const where = `epoch ${currentEpoch(state.run)}/${state.experiment.epochs}`;
  const doing = state.phases.length === 0 ? [waiting(state)] : state.phases.map(phaseText);
  return [styled`${bar(share, cells)}  ${figures}`, ...flow([style.bold(where), ...doing], width)];
}

const silenceLines = ({ silences }: LiveState): Styled[] =>
  silences.map((silence) => styled`${style.warn('no answer from')} ${silenceInFull(silence)}`);

function waiting({ run }: LiveState): string {
  if (run.finished !== null) return run.finished.note;
  return run.started === null ? 'opening the models' : '';
}

const verbs: Record<string, string> = {
  generate: 'writing tasks',
  attempt: 'attempting',
  'agent job': 'attempting and training agent',
  rank: 'ranking seeds',
  validate: 'validating',
  evaluate: 'evaluating',
  'update agent': 'training agent',
  'update environment': 'training environment',
};

function phaseText({ phase, done, total, job }: PhaseProgress): string {
  const verb = verbs[phase] ?? phase;
  if (job === 'queued') return `${verb}: job queued`;
  if (job === 'running') return `${verb}: job at step ${count(done)}${total > 0 ? `/${count(total)}` : ''}`;
  return `${verb} ${count(done)}/${count(total)}`;
}

/** The measurements of the newest scored epoch. */
function measures(state: LiveState, width: number): Printable[] {
  const { run, experiment } = state;
  const scored = run.open?.scored ?? null;
  const last = run.summaries.at(-1) ?? null;
  const newest = scored ?? last;
  if (newest === null) return [];
  const { curriculum } = experiment;
  const band = `band ${rate(Math.max(0, curriculum.alpha - curriculum.kMin))}–${rate(Math.min(1, curriculum.alpha + curriculum.kMin))}`;
  const families = scored === null ? (last?.families ?? 0) : scored.families.length;
  const kl = (value: number | null | undefined): string => inColumn(value ?? null);
  const agentKl = agentReference(state) ?? last?.kl.agent;
  const environmentKl = environmentReference(state) ?? last?.kl.environment;
  return [
    ...successLines(newest.successRate, curriculum, band, width),
    ...flow(
      [
        `R_env ${rate(newest.environmentReward)}`,
        `${newest.familiesKept} of ${families} families kept`,
        `effective sample ${inColumn(newest.effectiveSampleSize)}`,
        `KL agent ${kl(agentKl)}`,
        `KL environment ${kl(environmentKl)}`,
      ],
      width,
    ),
  ];
}

function agentReference({ run }: LiveState): number | null {
  const update = run.open?.agent.findLast(({ type }) => type === 'agent.updated');
  return update?.type === 'agent.updated' ? update.kl.reference : null;
}

function environmentReference({ run }: LiveState): number | null {
  return run.open?.environment?.type === 'environment.updated' ? run.open.environment.kl.initial : null;
}

function successLines(
  successRate: SuccessRate,
  curriculum: { alpha: number; kMin: number },
  band: string,
  width: number,
): Printable[] {
  const text = measured(successRate);
  const cells = Math.min(50, width - displayWidth(text) - displayWidth(band) - 6);
  if (cells < 10) return flow([text, band], width);
  return [styled`${text}  ${intervalStrip(successRate, curriculum, cells)}  ${style.accent(band)}`];
}

/** Curves over the epochs: p̂ from 0 to 1, validation over its own range, whose ends are printed. */
function courseLines({ run }: LiveState, width: number): Printable[] {
  const lines: Printable[] = [];
  const label = 12;
  const cells = Math.max(8, Math.min(60, width - label - 30));
  if (run.summaries.length > 1) {
    const rates = run.summaries.map(({ successRate }) => successRate.p);
    lines.push(styled`${'p̂ by epoch'.padEnd(label + 1)}${style.accent(sparkline(rates, cells, { low: 0, high: 1 }))}`);
  }
  const last = run.validations.at(-1);
  const alike = run.validations.filter(({ measured }) => measured === last?.measured);
  const [first] = alike;
  if (first === undefined || last === undefined) return lines;
  const solved = alike.map(({ successRate }) => successRate.p);
  const measured = solved.filter((p) => p !== null);
  const ends = { low: smallest(measured), high: largest(measured) };
  const now = percentToTenth(last.successRate.p);
  const words = first === last ? now : `${now}, at first ${percentToTenth(first.successRate.p)}`;
  const course = first === last ? '' : style.accent(sparkline(solved, cells, ends));
  append(lines, flow([styled`${'validation'.padEnd(label)}${course}`.trimmedEnd(), words], width));
  return lines;
}

function speedPieces({ rates }: LiveState): string[] {
  if (rates === null) return [];
  return [`${count(rates.rollouts)} rollouts/s`, ...(rates.tokens === null ? [] : [`${count(rates.tokens)} tokens/s`])];
}
