/** In place of the form while the file cannot be read: where, why, and the way to the text. Nothing is written. */
import * as l10n from '@vscode/l10n';
import { button } from './components/button.ts';
import { element } from './element.ts';

interface Problem {
  message: string;
  remedy: string;
  line: number;
  column: number;
}

export function unreadable(
  file: string,
  problems: readonly Problem[],
  openText: (at: { line: number; column: number } | null) => void,
): HTMLElement {
  const [first] = problems;
  return element(
    'section',
    { class: 'unreadable', role: 'alert' },
    element('h1', {}, l10n.t('{0} cannot be shown as a form', file)),
    element(
      'p',
      {},
      l10n.t('Its text is as you left it; nothing was changed. The form comes back when the text can be read.'),
    ),
    element(
      'ul',
      { class: 'problems' },
      ...problems.map(({ message, remedy, line, column }) => {
        const link = element(
          'button',
          { class: 'place', type: 'button' },
          l10n.t('line {0}, column {1}', line, column),
        );
        link.addEventListener('click', () => openText({ line, column }));
        return element('li', { class: 'error' }, `${message} ${remedy}`.trim(), ' ', link);
      }),
    ),
    button({ text: l10n.t('Open as Text'), appearance: 'primary', press: () => openText(first ?? null) }),
  );
}
