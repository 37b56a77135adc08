/** A form that is a draft of a branch: from where, what differs, and one button that makes it. */
import type { FieldPath } from '../../src/shared/experiment/field.ts';
import type { Experiment } from '../../src/shared/experiment/schema.ts';
import type { FormBranch } from '../../src/features/experiment/contract.ts';
import { button } from '../lib/components/button.ts';
import { element } from '../lib/element.ts';
import * as l10n from '@vscode/l10n';
import { assignment, differences, type Difference } from './differences.ts';
import { differenceList } from './differenceList.ts';

export interface BranchBannerHost {
  branch(changes: readonly string[], name: string): Promise<void>;
  branchAt(epoch: number): void;
  goTo(field: FieldPath): void;
}

export class BranchBanner {
  readonly node = element('section', { class: 'banner', 'aria-label': l10n.t('Branch of a run'), hidden: '' });
  readonly #host: BranchBannerHost;
  #shown = '';
  #busy = false;

  constructor(host: BranchBannerHost) {
    this.#host = host;
  }

  /** @param form null while the form has errors */
  update(branch: FormBranch | null, form: Experiment | null, trusted: boolean): void {
    this.node.hidden = branch === null;
    if (branch === null) return;
    const found = form === null ? null : differences(branch.experiment, form);
    const shown = JSON.stringify([branch.name, branch.epoch, branch.epochs, found, trusted, form?.name, this.#busy]);
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.#draw(branch, found, form?.name ?? branch.name, trusted);
  }

  #draw(branch: FormBranch, found: readonly Difference[] | null, name: string, trusted: boolean): void {
    const make = button({
      text: l10n.t('Branch with These Values'),
      appearance: 'primary',
      press: () => void this.#make(found ?? [], name),
    });
    make.disabled = found === null || !trusted || this.#busy;
    make.title = found === null ? l10n.t('Correct the errors first.') : '';
    this.node.replaceChildren(
      element(
        'div',
        { class: 'banner-head' },
        element(
          'p',
          { class: 'banner-state' },
          l10n.t('Branch of “{0}” after', branch.name),
          ' ',
          this.#epochs(branch),
          ' ',
          differWords(found),
        ),
        element('div', { class: 'actions' }, make),
      ),
    );
    const { reward } = branch;
    if (reward !== null) this.node.append(element('p', {}, l10n.t('Judged by “{0}” as the file is now.', reward)));
    if (found !== null && found.length > 0) this.node.append(differenceList(found, (field) => this.#host.goTo(field)));
  }

  #epochs({ epoch, epochs }: FormBranch): HTMLElement {
    const options = [...new Set([...epochs, epoch])].sort((a, b) => b - a);
    const select = element(
      'select',
      { class: 'banner-epoch', 'aria-label': l10n.t('Epoch to branch after') },
      ...options.map((one) => {
        const text = one === 0 ? l10n.t('the start') : l10n.t('epoch {0}', one);
        return element('option', { value: String(one), ...(one === epoch && { selected: '' }) }, text);
      }),
    );
    select.addEventListener('change', () => this.#host.branchAt(Number(select.value)));
    return select;
  }

  async #make(found: readonly Difference[], name: string): Promise<void> {
    this.#busy = true;
    try {
      await this.#host.branch(found.map(assignment), name);
    } finally {
      this.#busy = false;
      this.#shown = '';
    }
  }
}

function differWords(found: readonly Difference[] | null): string {
  if (found === null) return l10n.t('The form has errors.');
  if (found.length === 0) return l10n.t('It has the run’s settings; change some below.');
  return found.length === 1 ? l10n.t('1 setting differs.') : l10n.t('{0} settings differ.', found.length);
}
