/** One record beside the task that it becomes, and a box to try an answer in. */
import * as l10n from '@vscode/l10n';
import type { AdapterDataView, Judged, RecordView } from '../../src/features/adapter/contract.ts';
import { button } from '../lib/components/button.ts';
import { dropdown } from '../lib/components/dropdown.ts';
import { element } from '../lib/element.ts';
import { AnswerBox } from './answerBox.ts';
import { count } from '../../src/shared/text/figures/numbers.ts';

export interface RecordAt {
  split: string;
  index: number;
}

export interface RecordHost {
  record(at: RecordAt): Promise<RecordView | null>;
  judge(at: RecordAt, answer: string): Promise<Judged>;
  open(at: RecordAt): void;
  failed(error: unknown): void;
  moved(state: RecordAt & { answer: string }): void;
}

/** Milliseconds after which changes are processed. */
const pause = 120;

export class RecordPanel {
  readonly node: HTMLElement;
  readonly #host: RecordHost;
  readonly #number = element('input', { type: 'number', min: '1', 'aria-label': l10n.t('Record number') });
  readonly #of = element('span', { class: 'quiet' });
  readonly #splits = element('span', { class: 'splits' });
  readonly #place = element('button', { type: 'button', class: 'link' });
  readonly #misfits = element('ul', { class: 'misfits', role: 'alert' });
  readonly #raw = element('pre', { tabindex: '0', 'aria-label': l10n.t('The record') });
  readonly #task = element('pre', { tabindex: '0', 'aria-label': l10n.t('The task') });
  readonly #prompt = element('ol', { class: 'prompt' });
  readonly #box: AnswerBox;
  #at: RecordAt = { split: '', index: 0 };
  #counts = new Map<string, number | null>();
  #names: readonly string[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Which question was asked last: the answer to an older one is not shown. */
  #asked = 0;

  constructor(host: RecordHost) {
    this.#host = host;
    this.#box = new AnswerBox({
      judge: (answer) => host.judge(this.#at, answer),
      failed: (error) => host.failed(error),
      typed: () => this.#keep(),
    });
    const step = (by: number): void => this.#go({ ...this.#at, index: this.#at.index + by });
    this.#number.addEventListener('change', () => this.#go({ ...this.#at, index: this.#number.valueAsNumber - 1 }));
    this.#place.addEventListener('click', () => host.open(this.#at));
    this.node = element(
      'section',
      { class: 'record', 'aria-label': l10n.t('Record') },
      element(
        'div',
        { class: 'record-head' },
        this.#splits,
        button({ text: '‹', name: l10n.t('Previous record'), press: () => step(-1) }),
        this.#number,
        this.#of,
        button({ text: '›', name: l10n.t('Next record'), press: () => step(1) }),
        this.#place,
      ),
      this.#misfits,
      element(
        'div',
        { class: 'sides' },
        element('div', {}, element('h3', {}, l10n.t('Record')), this.#raw),
        element('div', {}, element('h3', {}, l10n.t('Task')), this.#task),
      ),
      element('h3', {}, l10n.t('What the agent reads')),
      this.#prompt,
      this.#box.node,
    );
  }

  restore({ split, index, answer }: RecordAt & { answer: string }): void {
    this.#at = { split, index };
    this.#box.restore(answer);
  }

  setSplits(names: readonly string[]): void {
    if (JSON.stringify(names) === JSON.stringify(this.#names)) return;
    this.#names = names;
    const list = dropdown({
      name: l10n.t('Split'),
      choices: names.map((value) => ({ value, text: value })),
      change: (split) => this.#go({ split, index: 0 }),
    });
    if (!names.includes(this.#at.split)) this.#at = { split: names[0] ?? '', index: 0 };
    this.#splits.replaceChildren(list.node);
    list.set(this.#at.split);
    this.#soon();
  }

  /** The data was read again: the display may be out of date. */
  setData(data: AdapterDataView): void {
    this.#counts = new Map(data.splits.map(({ name, records }) => [name, records]));
    this.#showCount();
    // A number that is being typed stays.
    if (document.activeElement !== this.#number) this.#showNumber();
    this.#soon();
  }

  #go(at: RecordAt): void {
    const count = this.#counts.get(at.split) ?? null;
    const last = count === null ? Infinity : Math.max(0, count - 1);
    const index = Number.isInteger(at.index) ? Math.min(last, Math.max(0, at.index)) : this.#at.index;
    this.#at = { split: at.split, index };
    this.#showNumber();
    this.#showCount();
    this.#keep();
    this.#soon();
  }

  #showNumber(): void {
    this.#number.value = String(this.#at.index + 1);
  }

  #showCount(): void {
    const records = this.#counts.get(this.#at.split) ?? null;
    this.#of.textContent = records === null ? '' : l10n.t('of {0}', count(records));
  }

  #keep(): void {
    this.#host.moved({ ...this.#at, answer: this.#box.answer });
  }

  #soon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#ask(), pause);
  }

  async #ask(): Promise<void> {
    this.#asked += 1;
    const asked = this.#asked;
    try {
      const record = await this.#host.record(this.#at);
      if (asked === this.#asked) this.#show(record);
    } catch (error) {
      this.#host.failed(error);
    }
  }

  #show(record: RecordView | null): void {
    const fits = record !== null && record.misfits.length === 0;
    // Without a place it is the adapter that says nothing of where records are.
    const isThere = record !== null && record.path !== '';
    this.#place.textContent = isThere ? `${record.path}:${record.line}` : '';
    this.#place.hidden = !isThere;
    this.#raw.textContent = rawText(record);
    this.#task.textContent = record?.task ?? l10n.t('No task.');
    this.#misfits.replaceChildren(
      ...(record?.misfits ?? []).map(({ field, message }) =>
        element('li', {}, message.startsWith(field) ? message : `${field}: ${message}`),
      ),
    );
    this.#misfits.hidden = fits || record === null;
    this.#prompt.replaceChildren(
      ...(record?.prompt ?? []).map(({ role, content }) =>
        element('li', {}, element('span', { class: 'role' }, role), element('div', { class: 'said' }, content)),
      ),
    );
    this.#box.show(record);
  }
}

function rawText(record: RecordView | null): string {
  if (record === null) return l10n.t('There is no such record.');
  return record.path === '' ? l10n.t('Records are shown once the adapter says where they are.') : record.raw;
}
