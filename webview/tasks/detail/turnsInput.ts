/** A prompt's turns, each in its own text area. */
import * as l10n from '@vscode/l10n';
import type { Message } from '../../../src/shared/records/message.ts';
import { iconButton } from '../../lib/chartFrame.ts';
import { element } from '../../lib/element.ts';
import { describe, textArea, type FieldInput, type InputEvents } from './fieldInput.ts';
import { reworded, turnsOf } from './fieldText.ts';

const roles = ['system', 'user', 'assistant', 'tool'] as const satisfies readonly Message['role'][];

const roleWord = (role: Message['role']): string =>
  ({
    system: l10n.t('System'),
    user: l10n.t('User'),
    assistant: l10n.t('Assistant'),
    tool: l10n.t('Tool'),
  })[role];

interface Drawn {
  node: HTMLElement;
  role: HTMLSelectElement;
  area: HTMLTextAreaElement;
  remove: HTMLButtonElement;
}

export function turnsInput({ typed, done }: InputEvents): FieldInput {
  let turns: Message[] = [];
  let drawn: Drawn[] = [];
  let editable = true;
  const list = element('div', { class: 'turns' });
  const add = element('button', { type: 'button', class: 'link add-turn' }, l10n.t('Add Turn'));
  const change = (to: readonly Message[]): void => {
    turns = [...to];
    // Before it is drawn: a removed field takes the focus with it, so its text is committed first.
    typed();
    draw();
    done();
  };
  add.addEventListener('click', () => {
    change([...turns, { role: turns.at(-1)?.role === 'user' ? 'assistant' : 'user', content: '' }]);
    drawn.at(-1)?.area.focus();
  });

  const make = (index: number): Drawn => {
    const name = l10n.t('Turn {0}', index + 1);
    const area = textArea(name, () => {
      turns = turns.map((turn, i) => (i === index ? reworded(turn, area.value) : turn));
      typed();
    });
    const role = element(
      'select',
      { class: 'choice', 'aria-label': l10n.t('Who speaks in turn {0}', index + 1) },
      ...roles.map((one) => element('option', { value: one }, roleWord(one))),
    );
    role.addEventListener('change', () => {
      const to = roles.find((one) => one === role.value);
      if (to !== undefined) change(turns.map((turn, i) => (i === index ? { role: to, content: turn.content } : turn)));
    });
    const remove = iconButton('trash', l10n.t('Remove turn {0}', index + 1), () => {
      change(turns.filter((_, i) => i !== index));
      drawn[Math.min(index, drawn.length - 1)]?.area.focus();
    });
    const head = element('div', { class: 'turn-head' }, role, element('span', { class: 'turn-of quiet' }), remove);
    return { node: element('div', { class: 'turn' }, head, area), role, area, remove };
  };

  const draw = (): void => {
    drawn = turns.map((turn, index) => {
      const one = drawn[index] ?? make(index);
      one.role.value = turn.role;
      if (one.area.value !== turn.content) one.area.value = turn.content;
      const of = one.node.querySelector('.turn-of');
      if (of !== null) of.textContent = turn.name === undefined ? '' : l10n.t('answer of {0}', turn.name);
      one.area.readOnly = !editable;
      one.role.disabled = !editable;
      one.remove.hidden = !editable || turns.length < 2;
      return one;
    });
    for (const { node } of drawn) if (node.parentNode !== list) list.append(node);
    while (list.childElementCount > drawn.length) list.lastElementChild?.remove();
    add.hidden = !editable;
  };

  return {
    node: element('div', {}, list, add),
    text: () => JSON.stringify(turns, null, 2),
    set(text) {
      turns = turnsOf(text) ?? [{ role: 'user', content: text }];
      draw();
    },
    enable(to) {
      if (editable === to) return;
      editable = to;
      draw();
    },
    describe: (by, wrong) => {
      for (const { area } of drawn) describe(area, by, wrong);
    },
  };
}
