/** A context menu as the editor's own: arrows, Home and End, the first letter, Enter, Escape. */
import { element } from '../element.ts';

export interface MenuItem {
  text: string;
  act: () => void;
  /** Why it cannot be done now; null or left out when it can. */
  why?: string | null;
}

let close: () => void = () => undefined;

/** Opens below and right of a place on the screen, in pixels; `'line'` divides groups. The focus goes back afterwards. */
export function openMenu(name: string, at: { x: number; y: number }, items: readonly (MenuItem | 'line')[]): void {
  close();
  const before = document.activeElement;
  const entries: HTMLElement[] = [];
  const node = element('div', { class: 'menu', role: 'menu', 'aria-label': name });
  for (const item of items) {
    if (item === 'line') {
      node.append(element('div', { class: 'menu-line', role: 'separator' }));
      continue;
    }
    const { text, why = null } = item;
    const entry = element('div', { class: 'menu-item', role: 'menuitem', tabindex: '-1' }, text);
    if (why !== null) {
      entry.setAttribute('aria-disabled', 'true');
      entry.title = why;
    }
    const choose = (): void => {
      if (why !== null) return;
      close();
      item.act();
    };
    entry.addEventListener('click', choose);
    entry.addEventListener('pointermove', () => entry.focus());
    entry.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' && event.key !== ' ') return;
      event.preventDefault();
      choose();
    });
    entries.push(entry);
    node.append(entry);
  }
  const outside = ({ target }: Event): void => {
    if (!(target instanceof Node) || !node.contains(target)) close();
  };
  close = () => {
    close = () => undefined;
    const had = node.contains(document.activeElement);
    node.remove();
    document.removeEventListener('pointerdown', outside, true);
    window.removeEventListener('blur', close);
    if (had && before instanceof HTMLElement) before.focus({ preventScroll: true });
  };
  node.addEventListener('contextmenu', (event) => event.preventDefault());
  node.addEventListener('keydown', (event) => {
    const to = led(
      entries.map((entry) => entry.textContent),
      entries.findIndex((entry) => entry === document.activeElement),
      event.key,
    );
    if (event.key === 'Escape' || event.key === 'Tab') close();
    else if (to !== null) entries[to]?.focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  document.addEventListener('pointerdown', outside, true);
  window.addEventListener('blur', close);
  document.body.append(node);
  const { width, height } = node.getBoundingClientRect();
  node.style.left = `${Math.max(4, Math.min(at.x, window.innerWidth - width - 4))}px`;
  node.style.top = `${Math.max(4, Math.min(at.y, window.innerHeight - height - 4))}px`;
  entries[0]?.focus();
}

/** The entry that a key leads to; null for one that leads nowhere. */
function led(texts: readonly string[], from: number, key: string): number | null {
  const last = texts.length - 1;
  switch (key) {
    case 'ArrowDown':
      return from === last ? 0 : from + 1;
    case 'ArrowUp':
      return from <= 0 ? last : from - 1;
    case 'Home':
      return 0;
    case 'End':
      return last;
    default: {
      if (key.length !== 1 || key === ' ') return null;
      const starts = (text: string): boolean => text.toLowerCase().startsWith(key.toLowerCase());
      const after = texts.findIndex((text, i) => i > from && starts(text));
      const found = after >= 0 ? after : texts.findIndex(starts);
      return found < 0 ? null : found;
    }
  }
}
