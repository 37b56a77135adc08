/** A person attempts a task: what was said, the turn being written, the tools, and in the end the verdict. */
import '../lib/l10n.ts';
import * as l10n from '@vscode/l10n';
import { act, call, draft, send, shown, type PlayView } from '../../src/features/play/contract.ts';
import { messageOf } from '../../src/shared/messageOf.ts';
import { rate } from '../../src/shared/text/figures/numbers.ts';
import { Composer } from '../lib/conversation/composer.ts';
import { Turns } from '../lib/conversation/turns.ts';
import { element } from '../lib/element.ts';
import { connect, keep } from '../lib/host.ts';
import { Loading } from '../lib/loading.ts';
import { ToolForm } from './toolForm.ts';

const heading = element('h1');
const status = element('p', { class: 'summary', role: 'status' });
const notice = element('p', { class: 'notice', role: 'alert', hidden: '' });
const turns = new Turns(l10n.t('Conversation'));
const end = element('section', { class: 'end', hidden: '', tabindex: '-1' });

const channel = connect((error) => {
  loading.done();
  say(error.message);
});
const composer = new Composer(l10n.t('Your turn, as the agent would write it'), l10n.t('Send Turn'), {
  send: (text) => ask(channel.call(send, { text })),
  draft: (text) => channel.emit(draft, { text }),
});
const tools = new ToolForm((tool, fields) =>
  ask(channel.call(call, { tool, fields, draft: composer.text }).then(({ text }) => composer.write(text))),
);
const button = (label: string, what: 'open' | 'compare' | 'task' | 'again' | 'pool'): HTMLElement => {
  const made = element('button', { type: 'button', class: 'button' }, label);
  made.addEventListener('click', () => ask(channel.call(act, { what })));
  return made;
};
const writing = element('section', { class: 'writing' }, composer.node, tools.node);
const loading = new Loading(
  element(
    'div',
    { class: 'page' },
    element('header', {}, heading, button(l10n.t('Open Task'), 'task')),
    status,
    notice,
    turns.node,
    end,
    writing,
  ),
);

function ask(answer: Promise<unknown>): void {
  answer.then(
    () => (notice.hidden = true),
    (error: unknown) => say(messageOf(error)),
  );
}

function say(text: string): void {
  notice.textContent = text;
  notice.hidden = false;
}

let before: PlayView | null = null;
channel.on(shown, (view: PlayView) => {
  keep({ run: view.run, task: view.task, play: view.play });
  loading.done();
  heading.textContent = l10n.t('Play {0}', view.task);
  status.textContent = statusOf(view);
  if (view.state === 'failed' && view.note !== null) say(view.note);
  turns.show(view.said);
  const isNew = before === null || before.turn !== view.turn || before.state === 'working';
  composer.show(isNew || view.state !== 'asking' ? view.draft : null, view.state === 'asking');
  tools.show(view.tools);
  const over = view.state === 'ended' || view.state === 'failed';
  writing.hidden = over;
  if (view.verdict !== null && end.hidden) showEnd(view);
  if (before !== null && view.said.length > before.said.length) {
    (over ? end : writing).scrollIntoView({ block: 'nearest' });
  }
  before = view;
});

function statusOf({ state, turn, runName }: PlayView): string {
  const who = l10n.t('You are the agent of “{0}”. Kept as an attempt of a person; nothing is trained on it.', runName);
  switch (state) {
    case 'working':
      return `${l10n.t('The tools work…')} ${who}`;
    case 'asking':
      return `${l10n.t('Turn {0}.', turn)} ${who}`;
    case 'ended':
      return who;
    case 'failed':
      return l10n.t('The tools failed. What you sent is kept, and the attempt can be continued.');
  }
}

function showEnd({ verdict, note }: PlayView): void {
  if (verdict === null) return;
  const words = {
    solved: l10n.t('Solved'),
    unsolved: l10n.t('Not solved'),
    unjudged: l10n.t('The checker failed'),
  };
  const gold = verdict.gold ?? '';
  end.replaceChildren(
    element(
      'h2',
      { class: `verdict-${verdict.word}` },
      `${words[verdict.word]} · ${l10n.t('reward {0}', rate(verdict.reward))}`,
    ),
    ...(note === null ? [] : [element('p', {}, note)]),
    ...(gold === '' ? [] : [element('div', { class: 'gold' }, l10n.t('Gold'), element('pre', {}, gold))]),
    element(
      'div',
      { class: 'actions' },
      button(l10n.t('Open Attempt'), 'open'),
      button(l10n.t('Compare with…'), 'compare'),
      ...(verdict.valid ? [button(l10n.t('Add to Agent Pool'), 'pool')] : []),
      button(l10n.t('Play Again'), 'again'),
    ),
  );
  end.hidden = false;
  end.focus();
}
