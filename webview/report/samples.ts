/** Tasks from easy to hard with one good and one bad answer each. */
import type { EpochRow, SampleAttempt, SampleEpoch, SampleTask } from '../../src/shared/report/data.ts';
import { interval } from '../../src/shared/text/figures/intervals.ts';
import { number, rate } from '../../src/shared/text/figures/numbers.ts';
import { intervalGlyph } from '../charts/intervalGlyph.ts';
import { attemptMarks, verdictOf, verdictShapes } from '../charts/verdict.ts';
import { element } from '../lib/element.ts';
import type { Context } from './context.ts';
import { missingFigure } from './figure.ts';
import { placed } from './places.ts';
import { section } from './section.ts';
import { wordDiff } from '../../src/shared/text/wordDiff.ts';

export function samplesSection({ data }: Context): HTMLElement {
  const heading = 'Tasks and answers, easy to hard';
  const shown = data.samples.filter(({ tasks }) => tasks.length > 0);
  const last = shown.at(-1);
  if (last === undefined) {
    return section(
      'samples',
      heading,
      missingFigure('samples-list', 'Samples', 'No task with measured attempts is at hand.'),
    );
  }
  const byEpoch = new Map(data.epochs.map((row) => [row.epoch, row]));
  const lists = shown.map((sample) => sampleList(sample, byEpoch.get(sample.epoch), sample === last));
  const intro = element(
    'p',
    { class: 'reading' },
    'Attempts: ● solved, ○ not solved. In answers, ',
    element('del', {}, 'words of the gold that are missing'),
    ' and ',
    element('ins', {}, 'words that are too many'),
    ' are marked.',
  );
  return section('samples', heading, intro, chooser(shown, lists), ...lists);
}

/** Radio buttons: one epoch's tasks at a time. */
function chooser(samples: readonly SampleEpoch[], lists: readonly HTMLElement[]): HTMLElement {
  const buttons = samples.map(({ epoch }, i) => {
    const input = element('input', { type: 'radio', name: 'sample-epoch', id: `sample-epoch-${epoch}` });
    input.checked = i === samples.length - 1;
    input.addEventListener('change', () => {
      for (const [k, list] of lists.entries()) list.hidden = k !== i;
    });
    return element('span', {}, input, element('label', { for: input.id }, `Epoch ${epoch}`));
  });
  return element(
    'fieldset',
    { class: 'segments' },
    element('legend', { class: 'sr-only' }, 'Epoch of the samples'),
    ...buttons,
  );
}

function sampleList({ epoch, tasks }: SampleEpoch, row: EpochRow | undefined, shown: boolean): HTMLElement {
  const middle = Math.floor((tasks.length - 1) / 2);
  const list = element(
    'ol',
    { class: 'samples', 'aria-label': `Tasks of epoch ${epoch}, easiest first` },
    ...tasks.map((task, i) => element('li', {}, sampleCard(epoch, task, row, i === middle))),
  );
  list.hidden = !shown;
  return list;
}

function sampleCard(epoch: number, task: SampleTask, row: EpochRow | undefined, open: boolean): HTMLElement {
  const { p, low, high, successes, attempts } = task.successRate;
  const at = p ?? 0;
  const verdict = row === undefined ? null : verdictOf(at, row.curriculum);
  const band = row === undefined ? {} : { band: row.curriculum };
  const request = task.prompt.at(-1)?.content ?? '';
  const card = element(
    'details',
    { class: 'sample' },
    element(
      'summary',
      {},
      element('span', { class: 'sample-rate' }, rate(at)),
      intervalGlyph({ p: at, low, high, ...band, tone: 'ink' }, 84),
      element('span', { class: 'attempts', 'aria-hidden': 'true' }, attemptMarks(task.attempts)),
      element('span', { class: 'sr-only' }, `p̂ ${rate(at)}, ${successes} of ${attempts} attempts solved, `),
      element(
        'span',
        { class: 'sample-verdict' },
        verdict === null ? '' : `${verdictShapes[verdict].character} ${verdict}`,
      ),
      element('span', { class: 'sample-text' }, request.slice(0, 160)),
    ),
    element(
      'div',
      { class: 'sample-body' },
      element('p', { class: 'quiet' }, facts(task, interval(low, high)), placed(task.id, { epoch, task: task.id })),
      element('div', { class: 'texts' }, promptBlock(task), goldBlock(task)),
      element('div', { class: 'texts' }, ...task.shown.map((attempt) => attemptBlock(attempt, task.gold))),
      ...absent(task),
    ),
  );
  card.open = open;
  return card;
}

function facts({ successRate, complexity, plan }: SampleTask, range: string): string {
  const numbers = Object.entries(complexity).map(([name, value]) => `${name} ${number(value)}`);
  const parts = [`${successRate.successes} of ${successRate.attempts} solved, 95 % interval ${range}`, ...numbers];
  return [...parts, ...(plan === '' ? [] : [`plan “${plan}”`]), ''].join(' · ');
}

function promptBlock({ prompt }: SampleTask): HTMLElement {
  const turns = prompt.map(({ role, content }) =>
    element('p', {}, element('span', { class: 'role' }, `${role} `), content),
  );
  return element('div', { class: 'text' }, element('h4', {}, 'Prompt'), ...turns);
}

function goldBlock({ gold }: SampleTask): HTMLElement {
  const text =
    gold === null
      ? element('p', { class: 'quiet' }, 'This task has no gold: a checker judges it.')
      : element('p', {}, gold);
  return element('div', { class: 'text' }, element('h4', {}, 'Gold'), text);
}

function attemptBlock(
  { success, answer, branches, reward, stopReason, note, id }: SampleAttempt,
  gold: string | null,
): HTMLElement {
  const title = success ? '✓ A good answer' : '✗ A bad answer';
  const body = element('p', {}, ...(success || gold === null ? [answer] : diffNodes(gold, answer)));
  if (answer === '') body.replaceChildren(element('span', { class: 'quiet' }, '(empty)'));
  const parts = [
    `reward ${number(reward)}`,
    ...(stopReason === 'stop' ? [] : [`ended by ${stopReason}`]),
    ...(branches === 0 ? [] : [branches === 1 ? '1 branch' : `${branches} branches`]),
    ...(note === null ? [] : [note]),
    '',
  ];
  return element(
    'div',
    { class: success ? 'text answer-good' : 'text answer-bad' },
    element('h4', {}, title),
    body,
    element('p', { class: 'quiet' }, parts.join(' · '), placed(id, { trace: id })),
  );
}

function diffNodes(gold: string, answer: string): Node[] {
  return wordDiff(gold, answer).flatMap(({ kind, text }, i) => {
    const node =
      kind === 'same' ? document.createTextNode(text) : element(kind === 'missing' ? 'del' : 'ins', {}, text);
    return i === 0 ? [node] : [document.createTextNode(' '), node];
  });
}

/** Says why one of the two answers is not there. */
function absent({ shown, attempts }: SampleTask): HTMLElement[] {
  if (shown.length === 2) return [];
  const words =
    attempts === ''
      ? 'Its attempts are not in the run folder.'
      : shown[0]?.success === true
        ? 'Every judged attempt solved it.'
        : 'No judged attempt solved it.';
  return [element('p', { class: 'quiet' }, words)];
}
