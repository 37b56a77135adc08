/**
 * The recorded attempts scored with other α, β, λ and k_min, beside the recorded outcome, and a button to apply the
 * settings.
 */
import type { ScoringSettings } from '../../src/engine/math/scoring.ts';
import type { EpochRow } from '../../src/shared/report/data.ts';
import { measure, number, rate } from '../../src/shared/text/figures/numbers.ts';
import { percent, signed } from '../../src/shared/text/figures/shares.ts';
import { element } from '../lib/element.ts';
import * as l10n from '@vscode/l10n';
import { prose } from '../lib/symbols.ts';
import { changedFields, kindOf } from './changes.ts';
import type { FamilyNames } from './familyNames.ts';
import type { Navigation } from './navigation.ts';
import type { RunModel } from './runModel.ts';
import { RewardSelect } from './rewardSelect.ts';
import { SettingField, settingFields } from './settingField.ts';
import { compare, type Comparison, type Outcome, type Shift } from './whatIf.ts';
import { outOfRange } from '../../src/shared/outOfRange.ts';

export interface WhatIfActions {
  /** Null returns to the settings in force. */
  change: (settings: ScoringSettings | null) => void;
  over: (over: Navigation['whatIfOver']) => void;
  apply: (settings: ScoringSettings) => void;
  branch: (settings: ScoringSettings) => void;
  family: (epoch: number, ordinal: number) => void;
}

type Option = [over: Navigation['whatIfOver'], label: string];

export class WhatIfPanel {
  readonly node: HTMLElement;
  readonly #model: RunModel;
  readonly #names: FamilyNames;
  readonly #actions: WhatIfActions;
  readonly #fields: readonly SettingField[];
  readonly #reward: RewardSelect;
  readonly #over: HTMLSelectElement;
  readonly #outcome = element('tbody');
  readonly #shifts = element('div', { class: 'shifts' });
  readonly #where = element('p', { class: 'frame-note', role: 'status' });
  readonly #moves = element('p', { class: 'frame-note', hidden: '' });
  readonly #apply = element(
    'button',
    { type: 'button', class: 'button button-primary' },
    l10n.t('Apply from Next Epoch'),
  );
  readonly #branch = element('button', { type: 'button', class: 'button' }, l10n.t('Branch with These Values…'));
  readonly #reset = element('button', { type: 'button', class: 'button' }, l10n.t('Reset'));
  #settings: ScoringSettings = { alpha: 0.5, beta: 1, lambda: 1, kMin: 0.1 };

  constructor(model: RunModel, names: FamilyNames, actions: WhatIfActions) {
    this.#model = model;
    this.#names = names;
    this.#actions = actions;
    this.#fields = settingFields().map(
      (field) =>
        new SettingField(field, (value) => {
          // At once: another field may change before the page is drawn.
          this.#settings = { ...this.#settings, [field.key]: value };
          actions.change(this.#settings);
        }),
    );
    this.#reward = new RewardSelect((kind) => {
      const repetition = this.#model.facts?.curriculum.reward.repetition ?? 1;
      this.#settings = { ...this.#settings, reward: { kind, repetition } };
      actions.change(this.#settings);
    });
    this.#over = element('select', { class: 'field', 'aria-label': l10n.t('Epochs to score again') });
    this.#over.addEventListener('change', () => {
      const { value } = this.#over;
      if (value === 'looked' || value === 'selection' || value === 'all') actions.over(value);
    });
    this.#apply.addEventListener('click', () => actions.apply(this.#settings));
    this.#branch.addEventListener('click', () => actions.branch(this.#settings));
    this.#reset.addEventListener('click', () => actions.change(null));
    this.node = element(
      'section',
      { class: 'what-if', 'aria-labelledby': 'what-if-title' },
      element(
        'div',
        { class: 'what-if-head' },
        element('h3', { id: 'what-if-title' }, l10n.t('What if')),
        element('label', {}, l10n.t('over'), ' ', this.#over),
      ),
      this.#reward.node,
      element('div', { class: 'settings' }, ...this.#fields.map(({ node }) => node)),
      element(
        'table',
        { class: 'outcome' },
        element(
          'thead',
          {},
          element(
            'tr',
            {},
            element('td', {}),
            ...[l10n.t('was'), l10n.t('would be'), l10n.t('change')].map((title) =>
              element('th', { scope: 'col' }, title),
            ),
          ),
        ),
        this.#outcome,
      ),
      this.#shifts,
      this.#moves,
      element('div', { class: 'what-if-actions' }, this.#apply, this.#branch, this.#reset),
      this.#where,
    );
  }

  update({ whatIf, whatIfOver, selection }: Navigation, looked: EpochRow | undefined): void {
    const { facts, wholeRows: rows } = this.#model;
    if (facts === null) return;
    const { alpha, beta, lambda, kMin, reward, keepBest } = facts.curriculum;
    const inForce: ScoringSettings = { alpha, beta, lambda, kMin, reward, keepBest };
    this.#settings = whatIf ?? inForce;
    for (const field of this.#fields) field.update(this.#settings[field.key], inForce[field.key]);
    this.#showOver(whatIfOver, looked, selection?.epochs ?? null);
    const chosen =
      whatIfOver === 'all'
        ? rows
        : whatIfOver === 'selection' && selection !== null
          ? rows.filter(({ epoch }) => epoch >= selection.epochs[0] && epoch <= selection.epochs[1])
          : rows.filter(({ epoch }) => epoch === looked?.epoch);
    const { alphaBy, cutsOff } = facts.curriculum;
    const ownAlpha = alphaBy !== undefined && this.#settings.alpha === alpha;
    const compared = compare(this.#model.columns, chosen, this.#settings, facts.minFamilies, ownAlpha);
    const caveats = [...(alphaBy === undefined ? [] : [movesText(alphaBy)]), ...(cutsOff === true ? [cutText()] : [])];
    this.#moves.hidden = caveats.length === 0;
    this.#moves.textContent = caveats.join(' ');
    this.#showOutcome(compared);
    this.#showShifts(compared, whatIf !== null);
    this.#reward.update(kindOf(this.#settings), reward.kind);
    const otherKind = kindOf(this.#settings) !== reward.kind;
    this.#showApply(whatIf !== null && (otherKind || changedFields(inForce, whatIf).length > 0), otherKind);
  }

  #showOver(over: Navigation['whatIfOver'], looked: EpochRow | undefined, range: readonly number[] | null): void {
    const selected: Option[] =
      range === null
        ? []
        : [['selection', l10n.t('selected epochs {0}–{1}', range[0] ?? outOfRange(), range[1] ?? outOfRange())]];
    const options: Option[] = [
      ['looked', looked === undefined ? l10n.t('the shown epoch') : l10n.t('epoch {0}', looked.epoch)],
      ...selected,
      ['all', l10n.t('all epochs')],
    ];
    const text = JSON.stringify(options);
    if (this.#over.dataset['options'] !== text) {
      this.#over.dataset['options'] = text;
      this.#over.replaceChildren(...options.map(([value, label]) => element('option', { value }, label)));
    }
    this.#over.value = over === 'selection' && range === null ? 'looked' : over;
  }

  #showOutcome({ was, would, epochs }: Comparison): void {
    const share = (outcome: Outcome): number => outcome.familiesKept / Math.max(1, outcome.families);
    const points = (by: number): string => l10n.t('{0} points', signed(100 * by, 0));
    const lines: OutcomeLine[] = [
      [l10n.t('Families kept'), ({ familiesKept }) => familiesKept, measure, (by) => signed(by, 0)],
      [l10n.t('Share kept'), share, percent, points],
      [l10n.t('In the band'), ({ inBand }) => inBand, percent, points],
      [
        l10n.t('Effective sample size'),
        ({ effectiveSampleSize }) => effectiveSampleSize,
        measure,
        (by) => signed(by, 1),
      ],
      [l10n.t('Mean R_env'), ({ environmentReward }) => environmentReward, rate, (by) => signed(by, 2)],
    ];
    if (epochs > 1) lines.push([l10n.t('Updates skipped'), ({ skipped }) => skipped, number, (by) => signed(by, 0)]);
    const shown = (value: number, format: (value: number) => string): string =>
      epochs === 0 || Number.isNaN(value) ? '—' : format(value);
    this.#outcome.replaceChildren(
      ...lines.map(([title, value, format, change]) => {
        const by = value(would) - value(was);
        const same = Math.abs(by) < 1e-9;
        return element(
          'tr',
          {},
          element('th', { scope: 'row' }, ...prose(title)),
          element('td', {}, shown(value(was), format)),
          element('td', { class: same ? '' : 'differs' }, shown(value(would), format)),
          element('td', { class: 'quiet' }, epochs === 0 || same || Number.isNaN(by) ? '' : change(by)),
        );
      }),
    );
  }

  #showShifts({ gainers, losers }: Comparison, tried: boolean): void {
    this.#shifts.hidden = gainers.length + losers.length === 0 || !tried;
    if (this.#shifts.hidden) return;
    this.#shifts.replaceChildren(
      this.#shiftList(l10n.t('Gain weight'), 'arrow-up', gainers),
      this.#shiftList(l10n.t('Lose weight'), 'arrow-down', losers),
    );
  }

  #shiftList(title: string, icon: string, shifts: readonly Shift[]): HTMLElement {
    const { successes, attempts } = this.#model.columns;
    const items = shifts.map(({ epoch, ordinal, family, before, after }) => {
      const p = (successes[family] ?? outOfRange()) / Math.max(1, attempts[family] ?? outOfRange());
      const name = this.#names.of(epoch, ordinal);
      const label = name === undefined ? l10n.t('epoch {0}, number {1}', epoch, ordinal + 1) : name.plan || name.id;
      const button = element('button', { type: 'button', class: 'link', title: label }, label);
      button.addEventListener('click', () => this.#actions.family(epoch, ordinal));
      const weights = `${percent(before)} → ${percent(after)}`;
      return element(
        'li',
        {},
        element('span', { class: 'shift-rate' }, l10n.t('p̂ {0}', rate(p))),
        button,
        element('span', { class: 'shift-weight' }, weights),
      );
    });
    const none = element('li', { class: 'quiet' }, l10n.t('none'));
    return element(
      'div',
      {},
      element('h4', {}, element('span', { class: `codicon codicon-${icon}`, 'aria-hidden': 'true' }), ' ', title),
      element('ul', {}, ...(items.length === 0 ? [none] : items)),
    );
  }

  /** Only a running run can apply it. */
  #showApply(differs: boolean, otherKind: boolean): void {
    const { facts, wholeRows: rows } = this.#model;
    if (facts === null) return;
    const over = facts.state === 'finished';
    this.#apply.disabled = !differs || otherKind || over || !facts.trusted;
    // A branch can take values that this run no longer can.
    this.#apply.hidden = otherKind || over;
    this.#branch.classList.toggle('button-primary', otherKind || over);
    this.#branch.disabled = !differs || !facts.trusted || rows.length === 0;
    this.#reset.disabled = !differs;
    const open = rows.at(-1);
    const next = open === undefined ? 1 : open.successRate === null ? open.epoch : open.epoch + 1;
    const where = otherKind
      ? l10n.t('A run keeps its kind of reward; a branch can have another.')
      : over
        ? l10n.t('The run is finished; a branch of it continues with these values.')
        : !facts.trusted
          ? l10n.t('Trust this folder to change its runs.')
          : facts.state === 'running'
            ? l10n.t('Takes effect before the next scoring: epoch {0}.', next)
            : l10n.t('Takes effect when the run is resumed: epoch {0}.', next);
    this.#where.textContent = differs
      ? where
      : l10n.t('Move a slider: recorded attempts are scored again, nothing is changed.');
  }
}

const movesText = (by: 'course' | 'controller'): string =>
  by === 'controller'
    ? l10n.t(
        'The run chose α by what it measured. What it would have chosen under other values cannot be told: each epoch keeps its own α here, until you move α for all.',
      )
    : l10n.t('α follows its course: each epoch keeps its own here, until you move α for all.');

const cutText = (): string =>
  l10n.t(
    'Families outside the band were cut off: their p̂ is of their first attempts. Where another α or k_min takes them in, it may have come out otherwise.',
  );

type OutcomeLine = [
  title: string,
  value: (outcome: Outcome) => number,
  format: (value: number) => string,
  change: (by: number) => string,
];
