/** A running run of this file: its settings, and the form's changes to it. */
import type { FieldPath } from '../../src/shared/experiment/field.ts';
import type { Experiment } from '../../src/shared/experiment/schema.ts';
import type { FormRun } from '../../src/features/experiment/contract.ts';
import { button } from '../lib/components/button.ts';
import { element } from '../lib/element.ts';
import * as l10n from '@vscode/l10n';
import { epochsAhead } from '../../src/shared/experiment/changeable.ts';
import { prose } from '../lib/symbols.ts';
import { differenceList } from './differenceList.ts';
import { assignment, differences, type Difference } from './differences.ts';

export interface BannerHost {
  apply(run: string, changes: readonly string[]): Promise<void>;
  calibration(run: string): void;
  goTo(field: FieldPath): void;
}

export class RunBanner {
  readonly node = element('section', { class: 'banner', 'aria-label': l10n.t('Run of this experiment'), hidden: '' });
  readonly #host: BannerHost;
  readonly #state = element('p', { class: 'banner-state' });
  #shown = '';
  #busy = false;

  constructor(host: BannerHost) {
    this.#host = host;
  }

  /**
   * @param form null while the form has errors
   * @param isDraft whether the form is the draft of a branch, whose button comes first
   */
  update(run: FormRun | null, form: Experiment | null, isDraft: boolean): void {
    this.node.hidden = run === null;
    if (run === null) return;
    const found = form === null ? null : differences(run.experiment, form);
    this.#state.replaceChildren(...prose(this.#status(run, found)));
    const shown = JSON.stringify([run.dir, run.asked, found, this.#busy, isDraft]);
    // Epochs pass quickly: pressable and focused elements stay in place.
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.#draw(run, found ?? [], isDraft);
  }

  #draw(run: FormRun, found: readonly Difference[], isDraft: boolean): void {
    const asked = found.filter((one) => run.asked.includes(assignment(one)));
    const changes = found.filter((one) => one.when !== null && !asked.includes(one));
    const fixed = found.filter(({ when }) => when === null);
    const tools = element('div', { class: 'actions' });
    if (changes.length > 0) {
      const press = (): void => void this.#apply(run, changes);
      const apply = button({ text: l10n.t('Apply to the Run'), appearance: isDraft ? 'secondary' : 'primary', press });
      apply.disabled = this.#busy;
      tools.append(apply);
    }
    // One primary button a view: changes that wait to be applied go first.
    const appearance = isDraft || changes.length > 0 ? 'secondary' : 'primary';
    const press = (): void => this.#host.calibration(run.dir);
    tools.append(button({ text: l10n.t('Open Calibration'), appearance, press }));
    this.node.replaceChildren(element('div', { class: 'banner-head' }, this.#state, tools));
    const add = (title: string, list: readonly Difference[]): void => {
      if (list.length === 0) return;
      const heading = title === '' ? [] : [element('p', { class: 'banner-fixed' }, title)];
      this.node.append(...heading, this.#list(list, run.experiment));
    };
    add('', changes);
    add(l10n.t('Requested from the run, not in effect yet:'), asked);
    add(l10n.t('Cannot change during a run; a new run would use them:'), fixed);
  }

  #status({ name, epoch, epochs, state }: FormRun, found: readonly Difference[] | null): string {
    const where = {
      running: l10n.t('Run “{0}” has finished epoch {1} of {2}.', name, epoch, epochs),
      paused: l10n.t('Run “{0}” is paused after epoch {1} of {2}.', name, epoch, epochs),
      interrupted: l10n.t('Run “{0}” was interrupted after epoch {1} of {2}.', name, epoch, epochs),
    }[state];
    if (found === null) return where;
    if (found.length === 0) return `${where} ${l10n.t('It uses the settings of this form.')}`;
    const differ = found.length === 1 ? l10n.t('1 setting differs.') : l10n.t('{0} settings differ.', found.length);
    return `${where} ${differ}`;
  }

  #list(differences: readonly Difference[], running: Experiment): HTMLElement {
    const hold = { scoring: l10n.t('from the next scoring'), epoch: l10n.t('from the next epoch') };
    const from = ({ path, when }: Difference): string => {
      if (when === null) return '';
      return epochsAhead(running, path) === 0 ? hold[when] : l10n.t('from the next epoch that is not sampled yet');
    };
    return differenceList(differences, (field) => this.#host.goTo(field), from);
  }

  async #apply(run: FormRun, changes: readonly Difference[]): Promise<void> {
    this.#busy = true;
    try {
      await this.#host.apply(run.dir, changes.map(assignment));
    } finally {
      this.#busy = false;
      this.#shown = '';
    }
  }
}
