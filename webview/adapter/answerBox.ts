/** Type an answer, and see its parsed form and its judgement. */
import * as l10n from '@vscode/l10n';
import type { Judged, RecordView } from '../../src/features/adapter/contract.ts';
import { button } from '../lib/components/button.ts';
import { element } from '../lib/element.ts';
import { number } from '../../src/shared/text/figures/numbers.ts';

export interface AnswerHost {
  judge(answer: string): Promise<Judged>;
  failed(error: unknown): void;
  typed(): void;
}

/** Milliseconds without a key after which an answer is judged. */
const pause = 250;

export class AnswerBox {
  readonly node: HTMLElement;
  readonly #host: AnswerHost;
  readonly #area = element('textarea', {
    rows: '4',
    spellcheck: 'false',
    'aria-label': l10n.t('An answer to try'),
    placeholder: l10n.t('Type what an agent might answer.'),
  });
  readonly #gold: HTMLElement;
  readonly #verdict = element('p', { class: 'verdict', role: 'status' });
  readonly #parsed = element('pre', { class: 'parsed', 'aria-label': l10n.t('What is read from it') });
  readonly #parts = element('p', { class: 'quiet' });
  #record: RecordView | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #asked = 0;

  constructor(host: AnswerHost) {
    this.#host = host;
    this.#area.addEventListener('input', () => this.#soon());
    this.#gold = button({ text: l10n.t('Use the Gold'), press: () => this.#useGold() });
    this.#gold.hidden = true;
    this.node = element(
      'div',
      { class: 'answer-box' },
      element('div', { class: 'answer-head' }, element('h3', {}, l10n.t('Try an answer')), this.#gold),
      this.#area,
      this.#verdict,
      this.#parsed,
      this.#parts,
    );
    this.#clear();
  }

  get answer(): string {
    return this.#area.value;
  }

  restore(answer: string): void {
    this.#area.value = answer;
  }

  /** Another record, or another adapter: the typed answer is judged again. */
  show(record: RecordView | null): void {
    this.#record = record;
    this.#gold.hidden = record?.goldAnswer === null || record === null;
    void this.#judge();
  }

  #useGold(): void {
    this.#area.value = this.#record?.goldAnswer ?? '';
    this.#host.typed();
    void this.#judge();
  }

  #soon(): void {
    this.#host.typed();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#judge(), pause);
  }

  #clear(): void {
    this.#verdict.textContent = '';
    this.#parts.textContent = '';
    this.#parsed.hidden = true;
  }

  async #judge(): Promise<void> {
    this.#asked += 1;
    const asked = this.#asked;
    if (this.#area.value === '' || this.#record === null) {
      this.#clear();
      return;
    }
    try {
      const judged = await this.#host.judge(this.#area.value);
      if (asked === this.#asked) this.#say(judged);
    } catch (error) {
      this.#host.failed(error);
    }
  }

  #say({ parsed, success, reward, parts, note, error }: Judged): void {
    const icon = element('span', { class: `codicon codicon-${success ? 'pass' : 'error'}`, 'aria-hidden': 'true' });
    const said = success
      ? l10n.t('Success, reward {0}', number(reward))
      : l10n.t('Failure, reward {0}', number(reward));
    const why = error ?? note;
    this.#verdict.className = success ? 'verdict good' : 'verdict bad';
    this.#verdict.replaceChildren(
      icon,
      ' ',
      error === null ? said : l10n.t('It cannot be judged'),
      why === '' ? '' : `: ${why}`,
    );
    this.#parsed.textContent = parsed;
    this.#parsed.hidden = parsed === null;
    this.#parts.textContent = Object.entries(parts)
      .map(([name, value]) => `${name} ${number(value)}`)
      .join(' · ');
  }
}
