/** The adapter editor: one view of a text document, which the host owns, beside the data that it speaks of. */
import '../lib/l10n.ts';
import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { failureOf, RpcError } from '../../src/shared/rpc/rpcError.ts';
import * as contract from '../../src/shared/views/adapter.ts';
import { button } from '../lib/components/button.ts';
import { element } from '../lib/element.ts';
import { connect, keep, restore } from '../lib/host.ts';
import { Form } from './form.ts';
import { RecordPanel } from './recordPanel.ts';
import { toolbar } from './toolbar.ts';

const stateSchema = z.strictObject({ split: z.string(), index: z.int().nonnegative(), answer: z.string() });

const root = document.getElementById('root') ?? document.body;
const notice = element('p', { class: 'notice', role: 'alert', hidden: '' });
const page = element('div', {});
root.append(notice, page);

function say(error: unknown): void {
  if (RpcError.is(error, 'cancelled') || RpcError.is(error, 'closed')) return;
  const { message, remedy } = failureOf(error);
  notice.hidden = false;
  notice.textContent = `${message} ${remedy}`.trim();
}

const channel = connect(say);

async function ask(question: Promise<unknown>): Promise<void> {
  try {
    await question;
    notice.hidden = true;
  } catch (error) {
    say(error);
  }
}

const form = new Form({
  send: (edits) => ask(channel.call(contract.edit, [...edits])),
  openText: (at) => afterTyping(() => channel.call(contract.openText, at)),
  browse: () => void ask(browse()),
});
const panel = new RecordPanel({
  record: (at) => channel.call(contract.showRecord, at),
  judge: (at, answer) => channel.call(contract.tryAnswer, { ...at, answer }),
  open: (at) => void ask(channel.call(contract.openRecord, at)),
  failed: say,
  moved: (state) => keep(state),
});
const kept = restore(stateSchema);
if (kept !== undefined) panel.restore(kept);

/** After what was typed is in the document. */
function afterTyping(question: () => Promise<unknown>): void {
  form.pending.flush();
  void ask(question());
}

async function browse(): Promise<void> {
  const to = await channel.call(contract.browse, null);
  if (to !== null) form.pending.now({ path: ['data', 'folder'], to });
}

const bar = toolbar({
  check: () => afterTyping(() => channel.call(contract.check, null)),
  seeds: () => afterTyping(() => channel.call(contract.useAsSeeds, null)),
  copy: () => afterTyping(() => channel.call(contract.copyToWorkspace, null)),
  openText: () => afterTyping(() => channel.call(contract.openText, null)),
});
const body = element('div', { class: 'body' }, form.node, panel.node);

/** In place of the form while the file cannot be read. Nothing is written. */
function unreadable({ file, problems }: contract.AdapterDocument): HTMLElement {
  return element(
    'section',
    { class: 'unreadable', role: 'alert' },
    element('h1', {}, l10n.t('{0} cannot be shown as a form', file)),
    element(
      'ul',
      {},
      ...problems.map(({ line, message }) => element('li', {}, l10n.t('line {0}: {1}', line, message))),
    ),
    button({
      text: l10n.t('Open as Text'),
      appearance: 'primary',
      press: () => void ask(channel.call(contract.openText, problems[0] === undefined ? null : placeOf(problems[0]))),
    }),
  );
}

const placeOf = ({ line, column }: contract.AdapterProblem): { line: number; column: number } => ({ line, column });

channel.on(contract.documentChanged, (document) => {
  if (document.written === null) {
    page.replaceChildren(unreadable(document));
    return;
  }
  if (!body.isConnected) page.replaceChildren(bar.node, body);
  bar.show(document);
  form.show(document);
  panel.setSplits(form.splits);
});
channel.on(contract.dataChanged, (data) => {
  form.showData(data);
  panel.setData(data);
});
channel.handle(contract.takePending, () => [...form.pending.take().edits]);

window.addEventListener('blur', () => form.pending.flush());
window.addEventListener(
  'keydown',
  (event) => {
    const command = (event.ctrlKey || event.metaKey) && !event.altKey;
    // The editor undoes its last step; what was typed after that step goes first.
    if (command && !event.shiftKey && event.key.toLowerCase() === 'z' && form.pending.drop()) {
      event.preventDefault();
      event.stopImmediatePropagation();
    }
  },
  { capture: true },
);
