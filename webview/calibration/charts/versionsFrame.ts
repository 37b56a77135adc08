/** The map of versions in its frame; hidden where the run compared none. */
import * as l10n from '@vscode/l10n';
import type { ChartHost } from '../../charts/chartHost.ts';
import { count } from '../../../src/shared/text/figures/numbers.ts';
import { versionMatrix, type VersionMatrix } from '../../charts/versions/versionMatrix.ts';
import { versionsChart } from '../../charts/versions/versionsChart.ts';
import { ChartFrame, type SavedFile } from '../../lib/chartFrame.ts';
import { element } from '../../lib/element.ts';
import { drawnInSight } from '../../lib/lists/inSight.ts';
import type { TableSource } from '../../lib/lists/table.ts';
import { cellWords, versionsNote, versionsReading } from '../../report/versions/versionWords.ts';
import type { RunModel } from '../runModel.ts';

export class VersionsFrame {
  readonly frame: ChartFrame;
  readonly #model: RunModel;
  readonly #place = element('div', { class: 'versions-chart' });
  readonly #changed: () => void;
  #matrix: VersionMatrix | null = null;
  #host: ChartHost | null = null;

  constructor(model: RunModel, save: (file: SavedFile) => void) {
    this.#model = model;
    this.frame = new ChartFrame({
      id: 'versions',
      title: l10n.t('Versions against each other'),
      chart: this.#place,
      table: () => this.#table(),
      save,
    });
    this.frame.node.hidden = true;
    this.#changed = drawnInSight(this.frame.node, () => this.#draw());
  }

  /** One of several domains has no map of its own. */
  update(): void {
    this.#matrix = this.#model.domain === null ? versionMatrix(this.#model.wholeRows) : null;
    this.frame.node.hidden = this.#matrix === null;
    this.#changed();
  }

  #draw(): void {
    const matrix = this.#matrix;
    if (matrix === null) return;
    this.frame.reading = versionsReading(matrix);
    this.frame.note = versionsNote(matrix);
    this.frame.refresh();
    if (this.#host !== null) {
      this.#host.redraw(versionsReading(matrix));
      return;
    }
    this.#host = versionsChart(() => {
      const shown = this.#matrix ?? matrix;
      return {
        ...{ name: l10n.t('Versions against each other'), reading: versionsReading(shown), matrix: shown },
        ...{ agents: l10n.t('agent after epoch'), tasks: l10n.t('tasks of epoch'), said: cellWords },
      };
    });
    this.#place.replaceChildren(this.#host.node);
  }

  #table(): TableSource {
    const cells = this.#matrix?.cells ?? [];
    return {
      columns: [
        { title: l10n.t('Tasks of epoch'), format: count },
        { title: l10n.t('Agent after epoch'), format: count },
        { title: l10n.t('Version') },
        { title: l10n.t('Solved'), format: count },
        { title: l10n.t('Attempts'), format: count },
      ],
      count: cells.length,
      row: (i) => {
        const cell = cells[i];
        return cell === undefined ? [] : [cell.tasks, cell.agent, cell.version, cell.successes, cell.attempts];
      },
    };
  }
}
