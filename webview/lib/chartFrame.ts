/**
 * The frame of every chart of a dashboard: its title, one sentence that reads it, its table one key (`t`) away, and
 * export as CSV and SVG.
 */
import { csv } from './csv.ts';
import { element } from './element.ts';
import * as l10n from '@vscode/l10n';
import { svgText } from './svgText.ts';
import { prose } from './symbols.ts';
import { Table, type TableSource } from './lists/table.ts';

/** A requested file; the host writes it. */
export interface SavedFile {
  name: string;
  kind: 'csv' | 'svg';
  text: string;
}

export interface FrameOptions {
  id: string;
  title: string;
  /** The chart; hidden while its table is shown. */
  chart: Element;
  /** The numbers in the chart. */
  table: () => TableSource;
  /** The chart as an SVG file; by default the drawing inside `chart`. Null while there is none. */
  svg?: () => string | null | Promise<string | null>;
  save: (file: SavedFile) => void;
  /** The table is shown below the chart from the start, not instead of it. */
  beside?: boolean;
  /** More buttons, left of the frame's own. */
  tools?: readonly Node[];
}

export class ChartFrame {
  readonly node: HTMLElement;
  readonly #options: FrameOptions;
  readonly #reading: HTMLElement;
  readonly #value = element('span', { class: 'frame-value' });
  readonly #missing = element('p', { class: 'frame-missing' });
  readonly #note = element('p', { class: 'frame-note' });
  readonly #toggle: HTMLButtonElement;
  readonly #tools: HTMLElement;
  #table: Table | null = null;

  constructor(options: FrameOptions) {
    this.#options = options;
    const { id, title, tools = [] } = options;
    this.#reading = element('p', { class: 'frame-reading', id: `${id}-reading` });
    this.#toggle = iconButton('table', l10n.t('Show as table (t)'), () => this.toggleTable());
    this.#toggle.setAttribute('aria-pressed', 'false');
    this.#tools = element(
      'div',
      { class: 'frame-tools', role: 'group', 'aria-label': l10n.t('Tools of {0}', title) },
      ...tools,
      this.#toggle,
      iconButton('export', l10n.t('Save as CSV'), () => this.#saveTable()),
      iconButton('file-media', l10n.t('Save as SVG'), () => void this.#saveDrawing()),
    );
    const heading = element('h3', { id: `${id}-title` }, ...prose(title));
    this.node = element(
      'figure',
      { class: 'frame', id, 'aria-labelledby': `${id}-title`, 'aria-describedby': `${id}-reading` },
      element('figcaption', {}, heading, this.#value, this.#tools),
      this.#reading,
      this.#missing,
      options.chart,
      this.#note,
    );
    this.#missing.hidden = true;
    this.#note.hidden = true;
    if (options.beside === true) this.toggleTable(true);
    this.node.addEventListener('keydown', (event) => {
      if (event.key !== 't' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      event.preventDefault();
      event.stopPropagation();
      this.toggleTable();
    });
  }

  /** One sentence: the chart's message. */
  set reading(text: string) {
    if (this.#reading.textContent !== text) this.#reading.replaceChildren(...prose(text));
  }

  /** The number in the heading: the newest. */
  set value(text: string) {
    this.#value.textContent = text;
  }

  /** A note below the chart; '' for none. */
  set note(text: string) {
    this.#note.hidden = text === '';
    this.#note.replaceChildren(...prose(text));
  }

  /** Why there is nothing to draw; null when there is. */
  set missing(why: string | null) {
    this.node.classList.toggle('frame-empty', why !== null);
    this.#missing.hidden = why === null;
    this.#missing.textContent = why ?? '';
    this.#tools.hidden = why !== null;
    this.#options.chart.toggleAttribute('hidden', why !== null || this.#hidesChart);
  }

  get #hidesChart(): boolean {
    return this.showsTable && this.#options.beside !== true;
  }

  get showsTable(): boolean {
    return this.#table !== null;
  }

  /** New numbers: the table shows them if it is open. */
  refresh(): void {
    this.#table?.show(this.#options.table());
  }

  toggleTable(shown = !this.showsTable): void {
    if (shown === this.showsTable) return;
    const { chart, title, table } = this.#options;
    const inside = this.node.contains(document.activeElement) && document.activeElement !== this.#toggle;
    if (shown) {
      this.#table = new Table(l10n.t('Table of {0}', title), table());
      this.#note.before(this.#table.node);
      if (inside) this.#table.node.focus();
    } else {
      this.#table?.node.remove();
      this.#table = null;
    }
    chart.toggleAttribute('hidden', this.#hidesChart);
    this.#toggle.setAttribute('aria-pressed', String(shown));
    if (!shown && inside) (chart.querySelector<HTMLElement>('[tabindex]') ?? this.#toggle).focus();
  }

  #saveTable(): void {
    const { id, table, save } = this.#options;
    const { columns, count, row } = table();
    const rows = Array.from({ length: count }, (_, i) => row(i));
    save({
      name: id,
      kind: 'csv',
      text: csv(
        columns.map(({ title }) => title),
        rows,
      ),
    });
  }

  async #saveDrawing(): Promise<void> {
    const { id, chart, save, svg = () => drawingIn(chart) } = this.#options;
    const text = await svg();
    if (text !== null) save({ name: id, kind: 'svg', text });
  }
}

function drawingIn(chart: Element): string | null {
  const drawing = chart.querySelector('svg');
  return drawing === null ? null : svgText(drawing, getComputedStyle(document.body).backgroundColor);
}

/** A button that shows an icon of the editor's own and says its name. */
export function iconButton(icon: string, label: string, act: () => void): HTMLButtonElement {
  const button = element(
    'button',
    { type: 'button', class: 'icon-button', title: label, 'aria-label': label },
    element('span', { class: `codicon codicon-${icon}`, 'aria-hidden': 'true' }),
  );
  button.addEventListener('click', act);
  return button;
}

/** Keys belong to a field while a person types in it. */
export function isTyping(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return target.type !== 'range' && target.type !== 'checkbox';
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}
