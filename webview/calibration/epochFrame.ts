/** The families of the epoch looked at: each with its interval and its weight in the update, and as a table. */
import { scoreEpoch } from '../../src/engine/math/scoring.ts';
import { familyRate } from '../charts/families/familyRate.ts';
import type { EpochRow, FamilyPoint } from '../../src/shared/report/data.ts';
import { FamilyChart, type FamilyView } from '../charts/families/familyChart.ts';
import { count, number, rate } from '../../src/shared/text/figures/numbers.ts';
import { percent } from '../../src/shared/text/figures/shares.ts';
import { verdictOf, verdictWord } from '../charts/verdict.ts';
import type { Stretch } from '../charts/cloud/cloudIndex.ts';
import type { Range } from '../charts/cloud/cloudOverlay.ts';
import { ChartFrame, type SavedFile } from '../lib/chartFrame.ts';
import * as l10n from '@vscode/l10n';
import type { TableSource } from '../lib/lists/table.ts';
import { familiesReading } from '../report/readings.ts';
import type { FamilyNames } from './familyNames.ts';
import type { RunModel } from './runModel.ts';
import { outOfRange } from '../../src/shared/outOfRange.ts';

/** More than these are drawn evenly along p̂. */
const mostDrawn = 160;

export class EpochFrame {
  readonly frame: ChartFrame;
  readonly #model: RunModel;
  readonly #names: FamilyNames;
  readonly #reveal: (epoch: number, ordinal: number) => void;
  readonly #chart: FamilyChart;
  #row: EpochRow | null = null;
  #selected: Range | null = null;
  #drawn = '';
  #points = 0;
  #narrowed = '';

  constructor(
    model: RunModel,
    names: FamilyNames,
    actions: { save: (file: SavedFile) => void; family: (epoch: number, ordinal: number) => void },
  ) {
    this.#model = model;
    this.#names = names;
    this.#reveal = actions.family;
    this.#chart = new FamilyChart(emptyView);
    this.#chart.onChoose = (point) => actions.family(point.epoch, this.#ordinalOf(point));
    this.frame = new ChartFrame({
      id: 'epoch-families',
      title: l10n.t('Families of the epoch'),
      chart: this.#chart.host.node,
      table: () => this.#table(),
      save: actions.save,
      beside: true,
    });
  }

  /** @param selected the table has these only, where they are of this epoch, too */
  update(row: EpochRow | undefined, selected: Range | null): void {
    this.#row = row ?? null;
    this.#selected = selected;
    const missing = row?.successRate == null;
    this.frame.missing = missing ? l10n.t('No epoch has been measured yet.') : null;
    if (row === undefined || missing) return;
    const names = this.#names.all(row.epoch);
    // Drawing takes a few milliseconds: most updates of a live run change nothing here.
    const { domain } = this.#model;
    const drawn = JSON.stringify([row.epoch, row.curriculum, row.familiesKept, names !== undefined, domain]);
    const narrowed = JSON.stringify(this.#inTable(row));
    if (drawn === this.#drawn && narrowed === this.#narrowed) return;
    if (drawn !== this.#drawn) this.#draw(row);
    this.#drawn = drawn;
    this.#narrowed = narrowed;
    this.frame.note = this.#noteOf(row);
    this.frame.refresh();
  }

  #draw(row: EpochRow): void {
    const view = this.#view(row);
    this.#chart.show(view);
    this.#points = view.families.length;
    this.frame.value = l10n.t('epoch {0}', row.epoch);
    this.frame.reading = view.reading;
  }

  #noteOf(row: EpochRow): string {
    const { from, to } = this.#inTable(row);
    if (this.#rates(row) !== null)
      return l10n.t('The table has {0} of {1} families: those selected above.', count(to - from), count(row.families));
    return this.#points < row.families
      ? l10n.t('{0} of {1} families are drawn, evenly along p̂; the table has all.', this.#points, count(row.families))
      : '';
  }

  /** Null where nothing is selected in this epoch: a selection of others says nothing of it. */
  #rates({ epoch }: EpochRow): Range['rates'] | null {
    if (this.#selected === null) return null;
    const { epochs, rates } = this.#selected;
    return epoch >= epochs[0] && epoch <= epochs[1] ? rates : null;
  }

  #inTable(row: EpochRow): Stretch {
    const { epoch } = row;
    const { index } = this.#model;
    const none = { epoch, from: 0, to: 0 };
    const rates = this.#rates(row);
    const found = rates === null ? index.stretch(epoch) : index.stretchesIn([epoch, epoch], rates)[0];
    return found ?? none;
  }

  #view(row: EpochRow): FamilyView {
    const { epoch, curriculum, spread } = row;
    const { stretch, reward, from } = this.#scored(row);
    const every = Math.max(1, (stretch.to - stretch.from - 1) / (mostDrawn - 1));
    const places: number[] = [];
    for (let at = 0; at < stretch.to - stretch.from; at += every) places.push(stretch.from + Math.round(at));
    const families = places.map((place) => this.#point(epoch, place, from, reward));
    return {
      epoch,
      curriculum,
      families,
      spread,
      reading: familiesReading(row, families.length),
      weighted: this.#model.facts?.trains.environment ?? false,
    };
  }

  #scored({ epoch, curriculum }: EpochRow) {
    const { index, columns } = this.#model;
    const stretch = index.stretch(epoch) ?? { epoch, from: 0, to: 0 };
    const scored = columns.epoch(epoch);
    const reward = scored === undefined ? new Float64Array(0) : scoreEpoch(columns, scored, curriculum).reward;
    return { stretch, reward, from: scored?.from ?? 0 };
  }

  #point(epoch: number, place: number, from: number, reward: Float64Array): FamilyPoint {
    const { index, columns } = this.#model;
    const family = index.family[place] ?? outOfRange();
    const { successes, attempts, p, low, high } = familyRate(columns, family);
    const name = this.#names.of(epoch, family - from);
    const earned = reward[family - from] ?? outOfRange();
    return {
      epoch,
      id: name?.id ?? l10n.t('number {0}', family - from + 1),
      origin: 'generated',
      tasks: columns.tasksOf(family),
      successes,
      attempts,
      p: p ?? 0,
      low,
      high,
      environmentReward: Number.isNaN(earned) ? null : earned,
      kept: columns.kept[family] ?? outOfRange(),
      weight: columns.weight[family] ?? outOfRange(),
      plan: name?.plan ?? '',
      complexity: name?.complexity ?? {},
    };
  }

  #ordinalOf({ epoch, id }: FamilyPoint): number {
    return this.#names.all(epoch)?.findIndex((name) => name.id === id) ?? -1;
  }

  #table(): TableSource {
    const row = this.#row;
    const columns = [
      { title: l10n.t('Family') },
      { title: l10n.t('Plan'), wide: true },
      { title: l10n.t('Verdict') },
      { title: l10n.t('p̂'), format: rate },
      { title: l10n.t('low'), format: rate },
      { title: l10n.t('high'), format: rate },
      { title: l10n.t('Solved'), format: number },
      { title: l10n.t('Attempts'), format: number },
      { title: l10n.t('R_env'), format: rate },
      { title: l10n.t('Kept'), format: percent },
      { title: l10n.t('Weight'), format: percent },
    ];
    if (row === null) return { columns, count: 0, row: () => [] };
    const { reward, from } = this.#scored(row);
    const stretch = this.#inTable(row);
    const at = (i: number): FamilyPoint => this.#point(row.epoch, stretch.from + i, from, reward);
    return {
      columns,
      count: stretch.to - stretch.from,
      row: (i) => {
        const { id, p, low, high, successes, attempts, environmentReward, kept, weight, plan } = at(i);
        const verdict = verdictWord(verdictOf(p, row.curriculum));
        return [id, plan, verdict, p, low, high, successes, attempts, environmentReward, kept, weight];
      },
      choose: (i) => this.#reveal(row.epoch, (this.#model.index.family[stretch.from + i] ?? from) - from),
    };
  }
}

const emptyView: FamilyView = {
  epoch: 0,
  curriculum: { alpha: 0.5, beta: 1, lambda: 1, kMin: 0.1 },
  families: [],
  spread: null,
  reading: '',
  weighted: false,
};
