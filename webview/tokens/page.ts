/** The page of an attempt's tokens: coloured text, its legend, and the same as a table. */
import * as l10n from '@vscode/l10n';
import type { ShownToken, ShownTokens } from '../../src/features/tokens/contract.ts';
import { count, magnitude, rate } from '../../src/shared/text/figures/numbers.ts';
import { signed } from '../../src/shared/text/figures/shares.ts';
import type { Cell } from '../lib/csv.ts';
import { onThemeChange } from '../lib/colours/themeChange.ts';
import { element } from '../lib/element.ts';
import { Table, type Column } from '../lib/lists/table.ts';
import { palette } from './colours.ts';
import { clipWord, shownText, three, tokenWords, unknownWords } from './figures.ts';
import { measuresOf, type Measure } from './measures.ts';
import { TokenText } from './tokenText.ts';

export interface PageActions {
  openTrace: () => void;
  showVersion: (version: string) => void;
  keep: (measure: string) => void;
}

interface Line {
  /** Place among all tokens. */
  at: number;
  turn: number;
  token: ShownToken;
}

export class Page {
  readonly node: HTMLElement;
  readonly #heading = element('h1');
  readonly #summary = element('p', { class: 'summary' });
  readonly #measure = element('select', { 'aria-label': l10n.t('Coloured by') });
  readonly #version = element('select', { 'aria-label': l10n.t('Ratio to') });
  readonly #against = element('label', {}, l10n.t('Ratio to'), ' ', this.#version);
  readonly #legend = element('ul', { class: 'legend', 'aria-label': l10n.t('Legend') });
  readonly #details = element('p', { class: 'details', role: 'status' });
  readonly #notes = element('ul', { class: 'notes quiet' });
  readonly #notice = element('p', { class: 'notice', role: 'alert', hidden: '' });
  readonly #text = new TokenText((at) => this.#point(at));
  readonly #table = new Table(l10n.t('Tokens'), { columns: [], count: 0, row: () => [] });
  readonly #controls: HTMLElement;
  readonly #keys = element(
    'p',
    { class: 'quiet keys' },
    l10n.t('Arrows move between tokens. A title of the table sorts it; a row leads to its token.'),
  );
  #shown: ShownTokens | null = null;
  #chosen: string;
  #sort = { column: 0, descending: false };
  /** Place of the described token among all. */
  #described = 0;

  constructor(measure: string, actions: PageActions) {
    this.#chosen = measure;
    const open = element('button', { type: 'button', class: 'button' }, l10n.t('Open Trace'));
    open.addEventListener('click', actions.openTrace);
    this.#measure.addEventListener('change', () => {
      this.#chosen = this.#measure.value;
      actions.keep(this.#chosen);
      this.#colour();
    });
    this.#version.addEventListener('change', () => {
      this.#text.node.setAttribute('aria-busy', 'true');
      actions.showVersion(this.#version.value);
    });
    const by = element('label', {}, l10n.t('Coloured by'), ' ', this.#measure);
    this.#controls = element('div', { class: 'controls' }, by, this.#against, this.#legend);
    this.node = element(
      'div',
      { class: 'page' },
      element('header', {}, this.#heading, open),
      ...[this.#summary, this.#notice, this.#controls, this.#text.node, this.#details, this.#table.node],
      ...[this.#keys, this.#notes],
    );
    onThemeChange(() => this.#colour());
  }

  show(shown: ShownTokens): void {
    this.#shown = shown;
    this.#notice.hidden = true;
    this.#text.node.removeAttribute('aria-busy');
    this.#heading.textContent = l10n.t('Tokens of {0}', shown.trace);
    this.#summary.textContent = summaryOf(shown);
    const has = shown.without === null;
    for (const node of [this.#controls, this.#text.node, this.#details, this.#table.node, this.#keys])
      node.hidden = !has;
    this.#measure.replaceChildren(
      ...measuresOf(shown).map(({ key, title }) => element('option', { value: key }, title)),
    );
    this.#version.replaceChildren(...shown.versions.map((name) => element('option', { value: name }, name)));
    this.#version.value = shown.other ?? '';
    this.#against.hidden = shown.versions.length === 0;
    this.#notes.replaceChildren(...notesOf(shown).map((text) => element('li', {}, text)));
    this.#text.show(shown);
    this.#point(0);
    this.#fill();
    this.#colour();
  }

  /** Shows an error. */
  tell(text: string): void {
    this.#text.node.removeAttribute('aria-busy');
    this.#version.value = this.#shown?.other ?? '';
    this.#notice.hidden = false;
    this.#notice.textContent = text;
  }

  #point(at: number): void {
    this.#described = at;
    this.#table.mark();
    const token = this.#shown?.answers.flatMap(({ tokens }) => tokens)[at];
    this.#details.textContent = token === undefined || this.#shown === null ? '' : tokenWords(token, this.#shown);
  }

  #colour(): void {
    if (this.#shown === null) return;
    const measures = measuresOf(this.#shown);
    const measure = measures.find(({ key }) => key === this.#chosen) ?? measures[0];
    if (measure === undefined) return;
    this.#measure.value = measure.key;
    this.#text.colour(measure);
    this.#legend.replaceChildren(...legendOf(measure, this.#shown));
  }

  #fill(): void {
    const shown = this.#shown;
    if (shown === null) return;
    const lines = linesOf(shown);
    const cells = lines.map(cellsOf);
    const { column, descending } = this.#sort;
    const order = lines
      .map((_, i) => i)
      .sort((a, b) => {
        const [one = null, other = null] = [cells[a]?.[column], cells[b]?.[column]];
        // Unknown ones come last, whichever way.
        if (one === null || other === null) return Number(one === null) - Number(other === null) || a - b;
        const way =
          typeof one === 'number' && typeof other === 'number' ? one - other : String(one).localeCompare(String(other));
        return (descending ? -way : way) || a - b;
      });
    this.#table.show({
      columns: columnsOf(shown),
      count: lines.length,
      row: (index) => cells[order[index] ?? -1] ?? [],
      choose: (index) => this.#text.focus(order[index] ?? 0),
      current: () => order.indexOf(this.#described),
      sort: {
        ...this.#sort,
        by: (chosen) => {
          this.#sort = { column: chosen, descending: chosen === column && !descending };
          this.#fill();
        },
      },
    });
  }
}

const linesOf = ({ answers }: ShownTokens): Line[] =>
  answers
    .flatMap(({ turn, tokens }, i) => tokens.map((token) => ({ turn: (turn ?? i) + 1, token })))
    .map((line, at) => ({ ...line, at }));

const columnsOf = ({ other }: ShownTokens): Column[] => [
  { title: l10n.t('Number'), format: count },
  { title: l10n.t('Turn'), format: count },
  { title: l10n.t('Token') },
  { title: l10n.t('Log-probability'), format: three },
  { title: l10n.t('Entropy'), format: three },
  { title: other === null ? l10n.t('Another version') : l10n.t('Under {0}', other), format: three },
  { title: l10n.t('Ratio'), format: three },
  { title: l10n.t('Advantage'), format: (value) => signed(value, 2) },
  { title: l10n.t('Clip') },
];

const cellsOf = ({ at, turn, token }: Line): Cell[] => [
  ...[at + 1, turn, shownText(token), token.sampled, token.entropy, token.now, token.ratio, token.advantage],
  token.clip === null ? null : clipWord(token.clip),
];

function legendOf({ legend, figures }: Measure, shown: ShownTokens): HTMLElement[] {
  const colours = palette();
  const swatches = legend.map(({ tone, share, text }) => {
    const swatch = element('span', { class: 'swatch', 'aria-hidden': 'true' });
    swatch.style.backgroundColor = colours?.({ tone, share }).background ?? '';
    return element('li', {}, swatch, text);
  });
  const missing = figures.some((figure) => shown.why[figure] !== undefined);
  const unknown = element('span', { class: 'swatch unknown', 'aria-hidden': 'true' });
  return missing ? [...swatches, element('li', {}, unknown, l10n.t('not known'))] : swatches;
}

function summaryOf({ sampledBy, runName, verdict, reward, answers }: ShownTokens): string {
  const tokens = answers.reduce((sum, one) => sum + one.tokens.length, 0);
  const judged = { solved: l10n.t('solved'), unsolved: l10n.t('not solved'), unjudged: l10n.t('checker failed') };
  return [
    l10n.t('sampled by {0}', sampledBy),
    l10n.t('{0} tokens', count(tokens)),
    `${judged[verdict]}, ${l10n.t('reward {0}', rate(reward))}`,
    l10n.t('of “{0}”', runName),
  ].join(' · ');
}

function notesOf(shown: ShownTokens): string[] {
  const { without, sampledBy, recomputed, shaped, why, answers } = shown;
  if (without === 'counted') return [l10n.t('The server counted the tokens of this attempt and returned no ids.')];
  if (without === 'person') {
    return [l10n.t('A person made this attempt: what people write has no tokens and no log-probabilities.')];
  }
  if (without === 'written') return [l10n.t('This answer was not sampled by a model: it has no tokens.')];
  if (without === 'older') {
    return [
      l10n.t('Its evaluation kept no tokens: it is older, or its server told none. Evaluate again to have them.'),
    ];
  }
  if (without === 'not-kept') return [l10n.t('No tokens are kept of this attempt: nothing is trained on it.')];
  const advantage = answers.flatMap(({ tokens }) => tokens).some((token) => token.advantage !== null);
  return [
    ...(recomputed === null
      ? []
      : [
          l10n.t(
            '{0} was loaded and gives the recorded log-probabilities again, to {1}.',
            sampledBy,
            magnitude(recomputed),
          ),
        ]),
    ...(shaped && advantage
      ? [
          l10n.t(
            'The update also shaped advantages by the distance to the initial agent (agent.klCoefficient): not shown.',
          ),
        ]
      : []),
    ...(['text', 'sampled', 'entropy', 'now', 'advantage', 'clip'] as const).flatMap((figure) => {
      const reason = why[figure];
      return reason === undefined ? [] : [unknownWords(figure, reason, shown)];
    }),
  ];
}
