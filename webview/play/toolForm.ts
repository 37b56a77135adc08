/** Picks a tool and fills its fields; the call is added to the turn as text. */
import * as l10n from '@vscode/l10n';
import type { Field, ShownTool } from '../../src/features/play/contract.ts';
import { element } from '../lib/element.ts';

/** So much of a description stands in the list of tools. */
const startOf = (text: string): string => (text.length > 70 ? `${text.slice(0, 69)}…` : text);

export class ToolForm {
  readonly node: HTMLElement;
  readonly #tool = element('select', { id: 'tool' });
  readonly #help = element('p', { class: 'quiet' });
  readonly #fields = element('div', { class: 'fields' });
  readonly #inputs = new Map<string, HTMLInputElement | HTMLSelectElement>();
  #tools: readonly ShownTool[] = [];

  constructor(add: (tool: string, fields: Record<string, string>) => void) {
    const button = element('button', { type: 'submit', class: 'button' }, l10n.t('Add Call to the Turn'));
    const form = element('form', {}, this.#help, this.#fields, button);
    this.node = element(
      'details',
      { open: '' },
      element('summary', {}, l10n.t('Call a tool')),
      element('div', { class: 'field tool' }, element('label', { for: 'tool' }, l10n.t('Tool')), this.#tool),
      form,
    );
    this.#tool.addEventListener('change', () => this.#draw());
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      add(this.#tool.value, Object.fromEntries([...this.#inputs].map(([name, { value }]) => [name, value])));
    });
  }

  show(tools: readonly ShownTool[]): void {
    this.node.hidden = tools.length === 0;
    if (JSON.stringify(tools) === JSON.stringify(this.#tools)) return;
    this.#tools = tools;
    const chosen = this.#tool.value;
    this.#tool.replaceChildren(
      ...tools.map(({ name, description }) =>
        element('option', { value: name }, description === '' ? name : `${name} · ${startOf(description)}`),
      ),
    );
    if (tools.some(({ name }) => name === chosen)) this.#tool.value = chosen;
    this.#draw();
  }

  #draw(): void {
    const tool = this.#tools.find(({ name }) => name === this.#tool.value);
    this.#help.textContent = tool?.description ?? '';
    this.#inputs.clear();
    this.#fields.replaceChildren(...(tool?.fields ?? []).map((field) => this.#field(field)));
  }

  #field({ name, help, required, kind, choices }: Field): HTMLElement {
    const id = `field-${name}`;
    const must = { id, ...(required && { required: '' }) };
    const input =
      kind === 'choice'
        ? element('select', must, ...['', ...choices].map((one) => element('option', { value: one }, one)))
        : element('input', { ...must, type: kind === 'number' ? 'number' : 'text', step: 'any', spellcheck: 'false' });
    if (kind === 'json') input.setAttribute('placeholder', 'JSON');
    this.#inputs.set(name, input);
    const label = required ? name : l10n.t('{0} (optional)', name);
    return element(
      'div',
      { class: 'field' },
      element('label', { for: id }, label),
      input,
      ...(help === '' ? [] : [element('p', { class: 'help' }, help)]),
    );
  }
}
