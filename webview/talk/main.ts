/** A conversation with one or two checkpoints: settings, what was said, a column a version, and what the person writes. */
import '../lib/l10n.ts';
import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import {
  judge,
  say,
  settings,
  shown,
  stop,
  type ShownVerdict,
  type TalkSettings,
  type TalkView,
} from '../../src/features/talk/contract.ts';
import { messageOf } from '../../src/shared/messageOf.ts';
import { rate } from '../../src/shared/text/figures/numbers.ts';
import { Composer } from '../lib/conversation/composer.ts';
import { turnItem } from '../lib/conversation/turns.ts';
import { element } from '../lib/element.ts';
import { connect, keep, restore } from '../lib/host.ts';
import { Loading } from '../lib/loading.ts';

const heading = element('h1');
const status = element('p', { class: 'summary', role: 'status' });
const notice = element('p', { class: 'notice', role: 'alert', hidden: '' });
const log = element('div', { role: 'log', 'aria-label': l10n.t('Conversation') });
const firstChoice = element('select', { id: 'first' });
const secondChoice = element('select', { id: 'second' });
const number = (id: string, step: string): HTMLInputElement =>
  element('input', { id, type: 'number', step, min: id === 'maxTokens' ? '1' : '0' });
const [temperature, maxTokens, seed] = [number('temperature', '0.1'), number('maxTokens', '1'), number('seed', '1')];
const numbers = [
  [temperature, 'temperature'],
  [maxTokens, 'maxTokens'],
  [seed, 'seed'],
] as const;
/** The conversation's own. */
let inForce: TalkSettings | null = null;
const field = (label: string, input: HTMLElement): HTMLElement =>
  element('div', { class: 'field' }, element('label', { for: input.id }, label), input);
const form = element(
  'div',
  { class: 'fields' },
  field(l10n.t('Version'), firstChoice),
  field(l10n.t('Beside it'), secondChoice),
  field(l10n.t('Temperature'), temperature),
  field(l10n.t('Longest answer (tokens)'), maxTokens),
  field(l10n.t('Seed'), seed),
);

const channel = connect((error) => {
  loading.done();
  tell(error.message);
});
const stopButton = element('button', { type: 'button', class: 'button', hidden: '' }, l10n.t('Stop'));
stopButton.addEventListener('click', () => channel.emit(stop, {}));
const beginButton = element('button', { type: 'button', class: 'button button-primary' }, l10n.t('Answer the Prompt'));
beginButton.addEventListener('click', () => ask(channel.call(say, { text: null })));
const judgeButton = element('button', { type: 'button', class: 'button', hidden: '' }, l10n.t('Judge'));
judgeButton.title = l10n.t('The task’s own judge looks at the conversation as it stands. Nothing is kept in the run.');
judgeButton.addEventListener('click', () => ask(channel.call(judge, null)));
const composer = new Composer(
  l10n.t('Your message'),
  l10n.t('Send'),
  {
    send: (text) => {
      sent = text;
      ask(channel.call(say, { text }));
    },
    draft: (text) => keep({ draft: text }),
  },
  judgeButton,
  stopButton,
);
const loading = new Loading(
  element(
    'div',
    { class: 'page' },
    element('header', {}, heading),
    status,
    form,
    notice,
    log,
    beginButton,
    composer.node,
  ),
);
let sent: string | null = null;
let draft = restore(z.looseObject({ draft: z.string() }))?.draft ?? null;

for (const choice of [firstChoice, secondChoice]) choice.addEventListener('change', change);
for (const [input, name] of numbers) {
  input.addEventListener('change', () => {
    if (!Number.isNaN(input.valueAsNumber)) change();
    // A number that was emptied, or is none, goes back to the one in force.
    else if (inForce !== null) input.value = String(inForce[name]);
  });
}

function change(): void {
  const changed: TalkSettings = {
    policies: [firstChoice.value, ...(secondChoice.value === '' ? [] : [secondChoice.value])],
    temperature: temperature.valueAsNumber,
    maxTokens: maxTokens.valueAsNumber,
    seed: seed.valueAsNumber,
  };
  ask(channel.call(settings, changed));
}

function ask(answer: Promise<unknown>): void {
  notice.hidden = true;
  answer.catch((error: unknown) => tell(messageOf(error)));
}

function tell(text: string): void {
  notice.textContent = text;
  notice.hidden = text === '';
}

let exchanges = 0;
let verdicts = 0;
channel.on(shown, (view: TalkView) => {
  loading.done();
  heading.textContent = view.task === null ? l10n.t('Talk') : l10n.t('Talk about {0}', view.task);
  status.textContent = statusOf(view);
  if (view.trouble !== '') tell(view.trouble);
  form.hidden = view.settings === null;
  if (view.settings !== null) fill(view.settings, view.versions);
  log.replaceChildren(...contentOf(view));
  const ready = view.state === 'ready';
  beginButton.hidden = view.state !== 'prompt';
  composer.node.hidden = view.state === 'prompt' || view.settings === null;
  stopButton.hidden = view.state !== 'answering' && view.state !== 'judging';
  judgeButton.hidden = !ready || view.task === null || view.exchanges.length === 0;
  const taken = sent !== null && view.exchanges.length > exchanges;
  if (taken) keep({ draft: '' });
  composer.show(taken ? '' : draft, ready);
  draft = null;
  if (taken) sent = null;
  const judged = view.exchanges.flatMap(({ answers }) => answers.filter(({ verdict }) => verdict !== null)).length;
  if (view.exchanges.length > exchanges || judged > verdicts) composer.node.scrollIntoView({ block: 'nearest' });
  exchanges = view.exchanges.length;
  verdicts = judged;
});

function statusOf({ state, runName }: TalkView): string {
  if (state === 'judging') return l10n.t('The judge looks at the conversation…');
  if (state === 'answering') return l10n.t('Answers are sampled…');
  return runName === '' ? '' : l10n.t('Of “{0}”. The run is not changed, and nothing is trained on it.', runName);
}

function fill(own: TalkSettings, versions: readonly string[]): void {
  inForce = own;
  const options = versions.map((name) => [name, name] as const);
  choices(firstChoice, options, own.policies[0] ?? '');
  choices(secondChoice, [['', l10n.t('none')], ...options], own.policies[1] ?? '');
  for (const [input, name] of numbers) if (document.activeElement !== input) input.value = String(own[name]);
}

function choices(select: HTMLSelectElement, options: readonly (readonly [string, string])[], value: string): void {
  select.replaceChildren(...options.map(([name, label]) => element('option', { value: name }, label)));
  select.value = value;
}

function contentOf({ prompt, exchanges: said }: TalkView): HTMLElement[] {
  const list = (turns: TalkView['prompt']): HTMLElement => element('ol', { class: 'turns' }, ...turns.map(turnItem));
  return [
    ...(prompt.length === 0 ? [] : [list(prompt)]),
    ...said.map(({ you, answers }) =>
      element(
        'section',
        {},
        ...(you === null ? [] : [list([you])]),
        element(
          'div',
          { class: 'columns' },
          ...answers.map(({ by, turns, notes, verdict }) =>
            element(
              'section',
              { 'aria-label': by },
              turns.length === 0 ? noAnswer(by) : list(turns),
              ...notes.map((note) => element('p', { class: 'quiet' }, note)),
              ...(verdict === null ? [] : [verdictNode(verdict)]),
            ),
          ),
        ),
      ),
    ),
  ];
}

const noAnswer = (by: string): HTMLElement => element('p', { class: 'quiet' }, l10n.t('{0} gave no answer.', by));

function verdictNode({ word, reward, note, parts }: ShownVerdict): HTMLElement {
  const words = {
    solved: l10n.t('Solved'),
    unsolved: l10n.t('Not solved'),
    unjudged: l10n.t('The checker failed'),
  };
  return element(
    'div',
    { class: 'judged', role: 'note', 'aria-label': l10n.t('Verdict') },
    element('p', { class: `verdict-${word}` }, `${words[word]} · ${l10n.t('reward {0}', rate(reward))}`),
    ...(parts.length === 0
      ? []
      : [element('p', {}, parts.map(([name, value]) => `${name} ${rate(value)}`).join(' · '))]),
    ...(note === null ? [] : [element('p', { class: 'quiet' }, note)]),
  );
}
