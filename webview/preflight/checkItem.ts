/** One line of the checklist. */
import type { Check, CheckId, Finding, ShownPrompt } from '../../src/features/preflight/contract.ts';
import { element } from '../lib/element.ts';
import * as l10n from '@vscode/l10n';
import { prose } from '../lib/symbols.ts';

const icons: Record<Check['state'], string> = {
  waiting: 'codicon-circle-large-outline',
  running: 'codicon-loading codicon-modifier-spin',
  passed: 'codicon-pass',
  warned: 'codicon-warning',
  failed: 'codicon-error',
  skipped: 'codicon-circle-slash',
};

const states: Record<Check['state'], () => string> = {
  waiting: () => l10n.t('not checked yet'),
  running: () => l10n.t('being checked'),
  passed: () => l10n.t('passed'),
  warned: () => l10n.t('warning'),
  failed: () => l10n.t('failed'),
  skipped: () => l10n.t('not checked'),
};

const titles: Record<CheckId, () => string> = {
  experiment: () => l10n.t('Experiment'),
  inputs: () => l10n.t('Task files'),
  weights: () => l10n.t('Weights'),
  endpoints: () => l10n.t('Endpoints'),
  reward: () => l10n.t('Reward'),
  trial: () => l10n.t('One task end to end'),
  work: () => l10n.t('Tokens, time and cost'),
  disk: () => l10n.t('Disk space'),
};

export function checkItem(
  { id, state, message, findings, prompts = [] }: Check,
  onOpen: (finding: Finding) => void,
): HTMLLIElement {
  const title = element('h2', {}, titles[id](), element('span', { class: 'sr-only' }, `: ${states[state]()}`));
  const body = element('div', {}, title);
  if (message !== '') body.append(element('p', { class: 'message' }, ...prose(message)));
  body.append(...prompts.map(promptItem));
  if (findings.length > 0) {
    body.append(element('ul', { class: 'findings' }, ...findings.map((finding) => findingItem(finding, onOpen))));
  }
  const icon = element('span', { class: `codicon ${icons[state]}`, 'aria-hidden': 'true' });
  return element('li', { class: `check check-${state}`, 'data-check': id }, icon, body);
}

/** Folded: a prompt may be long. */
function promptItem({ reader, text }: ShownPrompt): HTMLElement {
  const title = reader === 'environment' ? l10n.t('What the environment reads') : l10n.t('What the agent reads');
  return element('details', { class: 'prompt' }, element('summary', {}, title), element('pre', {}, text));
}

function findingItem(finding: Finding, onOpen: (finding: Finding) => void): HTMLLIElement {
  const { severity, message, remedy, file, line } = finding;
  const link = element('button', { type: 'button', class: 'link' }, `${nameOf(file)}:${line}`);
  link.addEventListener('click', () => onOpen(finding));
  return element(
    'li',
    { class: `finding finding-${severity}` },
    element('p', {}, ...prose(message)),
    ...(remedy === '' ? [] : [element('p', { class: 'remedy' }, ...prose(remedy))]),
    link,
  );
}

const nameOf = (file: string): string => file.split(/[\\/]/).at(-1) ?? file;
