/** Two runs compared task by task on the held-out tasks that both were validated on. */
import { scaleLinear, create } from 'd3';
import type { ComparedRun, Pair } from '../../src/features/compare/contract.ts';
import { element } from '../lib/element.ts';
import * as l10n from '@vscode/l10n';
import { Table } from '../lib/lists/table.ts';
import { count } from '../../src/shared/text/figures/numbers.ts';
import { letterOf } from './differences.ts';
import type { Navigation } from './navigation.ts';
import { pairCaveats, pairHeadline, pairNumbers, verdictOf, type Side } from './pairWords.ts';
import { messageOf } from '../../src/shared/messageOf.ts';

export interface PairActions {
  choose: (pair: Navigation['pair']) => void;
  ask: (first: Place, second: Place) => Promise<Pair>;
  openTask: (run: string, task: string) => void;
}

interface Place {
  run: string;
  epoch: number;
}

type Choice = Navigation['pair'];

export class PairSection {
  readonly node: HTMLElement;
  readonly #actions: PairActions;
  readonly #selects = {
    first: select(l10n.t('Run to compare against')),
    firstEpoch: select(l10n.t('Its epoch')),
    second: select(l10n.t('Run compared')),
    secondEpoch: select(l10n.t('Its epoch')),
  };
  readonly #result = element('div', { class: 'pair-result' });
  #runs: readonly ComparedRun[] = [];
  #choice: Choice = { first: '', second: '', firstEpoch: null, secondEpoch: null };
  /** The last request, so that none is repeated and late answers are dropped. */
  #asked = '';

  constructor(actions: PairActions) {
    this.#actions = actions;
    const { first, firstEpoch, second, secondEpoch } = this.#selects;
    const picked = (): void => actions.choose(this.#picked());
    for (const one of Object.values(this.#selects)) one.addEventListener('change', picked);
    const swap = element('button', { type: 'button', class: 'button' }, l10n.t('Swap'));
    swap.addEventListener('click', () => {
      const { first: a, second: b, firstEpoch: was, secondEpoch: is } = this.#choice;
      actions.choose({ first: b, second: a, firstEpoch: is, secondEpoch: was });
    });
    this.node = element(
      'section',
      { id: 'pair', 'aria-labelledby': 'pair-title' },
      element('div', { class: 'section-head' }, element('h2', { id: 'pair-title' }, l10n.t('Task by task'))),
      element(
        'div',
        { class: 'pair-choice' },
        element('span', {}, second, secondEpoch),
        element('span', { class: 'pair-against' }, l10n.t('against')),
        element('span', {}, first, firstEpoch),
        swap,
      ),
      this.#result,
    );
  }

  update(runs: readonly ComparedRun[], choice: Choice): void {
    this.#runs = runs;
    this.#choice = choice;
    const [first, second] = [this.#run(choice.first), this.#run(choice.second)];
    const names = runs.map(({ dir, name }, i) => ({ value: dir, text: `${letterOf(i)} ${name}` }));
    fill(this.#selects.first, names, choice.first);
    fill(this.#selects.second, names, choice.second);
    this.#fillEpochs(this.#selects.firstEpoch, first, choice.firstEpoch);
    this.#fillEpochs(this.#selects.secondEpoch, second, choice.secondEpoch);
    this.#ask(first, second);
  }

  #run(dir: string): ComparedRun | undefined {
    return this.#runs.find((run) => run.dir === dir);
  }

  #fillEpochs(node: HTMLSelectElement, run: ComparedRun | undefined, epoch: number | null): void {
    const measured = (run?.validations ?? []).map(({ epoch: at }) => ({
      value: String(at),
      text: at === 0 ? l10n.t('at its start') : l10n.t('epoch {0}', at),
    }));
    fill(
      node,
      [{ value: '', text: l10n.t('last shared epoch') }, ...measured.reverse()],
      epoch === null ? '' : String(epoch),
    );
  }

  #picked(): Choice {
    const { first, firstEpoch, second, secondEpoch } = this.#selects;
    const epoch = ({ value }: HTMLSelectElement): number | null => (value === '' ? null : Number(value));
    return {
      first: first.value,
      second: second.value,
      // Another run has other epochs.
      firstEpoch: first.value === this.#choice.first ? epoch(firstEpoch) : null,
      secondEpoch: second.value === this.#choice.second ? epoch(secondEpoch) : null,
    };
  }

  #ask(first: ComparedRun | undefined, second: ComparedRun | undefined): void {
    if (first === undefined || second === undefined) return;
    const shared = lastShared(first, second);
    const from = { run: first.dir, epoch: this.#choice.firstEpoch ?? shared ?? lastOf(first) };
    const to = { run: second.dir, epoch: this.#choice.secondEpoch ?? shared ?? lastOf(second) };
    if (from.epoch === null || to.epoch === null) {
      const without = from.epoch === null ? first : second;
      this.#asked = '';
      this.#say(
        l10n.t('{0} was not validated yet, so there is nothing to compare task by task.', this.#letter(without)),
      );
      return;
    }
    const places: [Place, Place] = [
      { run: from.run, epoch: from.epoch },
      { run: to.run, epoch: to.epoch },
    ];
    const asked = JSON.stringify(places);
    if (asked === this.#asked) return;
    this.#asked = asked;
    if (asked === JSON.stringify([places[0], places[0]])) {
      this.#say(l10n.t('Choose two runs, or two epochs of one.'));
      return;
    }
    const sides: [Side, Side] = [
      { letter: this.#letter(first), epoch: from.epoch },
      { letter: this.#letter(second), epoch: to.epoch },
    ];
    this.#actions.ask(...places).then(
      (answer) => {
        if (asked === this.#asked) this.#show(answer, places[1].run, sides);
      },
      (error: unknown) => {
        if (asked === this.#asked) this.#say(messageOf(error));
      },
    );
  }

  #letter({ dir }: ComparedRun): string {
    return letterOf(this.#runs.findIndex((run) => run.dir === dir));
  }

  #say(text: string): void {
    this.#result.replaceChildren(element('p', { role: 'status' }, text));
  }

  #show(answer: Pair, run: string, [first, second]: [Side, Side]): void {
    if (!answer.comparable) {
      this.#say(whyNot(answer.why));
      return;
    }
    const caveats = pairCaveats(answer, first, second);
    this.#result.replaceChildren(
      element(
        'p',
        { class: `pair-headline pair-${verdictOf(answer.paired)}`, role: 'status' },
        pairHeadline(answer, first, second),
      ),
      differenceGlyph(answer.paired),
      element('p', {}, pairNumbers(answer, first, second)),
      ...(caveats === '' ? [] : [element('p', { class: 'pair-caveat' }, caveats)]),
      ...(answer.changed.length === 0 ? [] : [this.#changed(answer, run)]),
    );
  }

  /** The tasks that changed hands, each of which can be opened. */
  #changed({ changed, paired }: Extract<Pair, { comparable: true }>, run: string): HTMLElement {
    const title = paired.single
      ? l10n.t('Tasks that one solved and the other did not')
      : l10n.t('Tasks that one solved more often');
    const inOrder = changed.toSorted((a, b) => Number(b.gained) - Number(a.gained));
    const table = new Table(title, {
      columns: [{ title: l10n.t('Task') }, { title: l10n.t('Change'), wide: true }],
      count: inOrder.length,
      row: (i) => [inOrder[i]?.task ?? '', inOrder[i]?.gained === true ? l10n.t('gained') : l10n.t('lost')],
      choose: (i) => this.#actions.openTask(run, inOrder[i]?.task ?? ''),
    });
    return element('details', {}, element('summary', {}, `${title} (${count(inOrder.length)})`), table.node);
  }
}

function whyNot(why: Extract<Pair, { comparable: false }>['why']): string {
  switch (why) {
    case 'no-shared-tasks':
      return l10n.t(
        'These two were validated on different tasks with none in common: they cannot be compared task by task.',
      );
    case 'not-validated':
      return l10n.t('One of the two was not validated at that epoch.');
    case 'unknown-attempts':
      return l10n.t(
        'The journal of one, of an older version, does not tell how often each task was solved: they cannot be compared task by task.',
      );
    case 'unknown-tasks':
      return l10n.t(
        'It is no longer known which tasks one of the two was validated on: the run that it was branched from is gone, or another version made them. Choose a later epoch.',
      );
  }
}

function select(label: string): HTMLSelectElement {
  return element('select', { 'aria-label': label });
}

/** Changes only differences: an open list stays open while a run grows. */
function fill(node: HTMLSelectElement, options: readonly { value: string; text: string }[], value: string): void {
  const written = JSON.stringify(options);
  if (node.dataset['options'] !== written) {
    node.dataset['options'] = written;
    node.replaceChildren(...options.map((option) => element('option', { value: option.value }, option.text)));
  }
  node.value = value;
}

const lastOf = ({ validations }: ComparedRun): number | null => validations.at(-1)?.epoch ?? null;

/** The last epoch at which both were validated; null when there is none. */
function lastShared(first: ComparedRun, second: ComparedRun): number | null {
  const own = new Set(first.validations.map(({ epoch }) => epoch));
  return second.validations.findLast(({ epoch }) => own.has(epoch))?.epoch ?? null;
}

/** The difference with its interval around 0. Decoration: the numbers are beside it as text. */
function differenceGlyph({ difference, low, high }: Extract<Pair, { comparable: true }>['paired']): SVGSVGElement {
  const [width, height] = [260, 26];
  const reach = Math.max(0.05, Math.abs(low), Math.abs(high)) * 1.1;
  const x = scaleLinear([-reach, reach], [6, width - 6]);
  const svg = create('svg:svg')
    .attr('class', 'difference')
    .attr('viewBox', `0 0 ${width} ${height}`)
    .attr('aria-hidden', 'true');
  const line = (name: string, x1: number, y1: number, x2: number, y2: number): void => {
    svg.append('line').attr('class', name).attr('x1', x1).attr('y1', y1).attr('x2', x2).attr('y2', y2);
  };
  line('axis-line', x(-reach), 13, x(reach), 13);
  line('zero', x(0), 3, x(0), 23);
  line('interval', x(low), 13, x(high), 13);
  line('interval', x(low), 9, x(low), 17);
  line('interval', x(high), 9, x(high), 17);
  svg.append('circle').attr('class', 'mark').attr('cx', x(difference)).attr('cy', 13).attr('r', 4);
  const node = svg.node();
  if (!(node instanceof SVGSVGElement)) throw new TypeError('this document cannot make SVG elements');
  return node;
}
