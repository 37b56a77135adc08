/** The experiment form: one view of a text document, which the host owns. */
import '../lib/l10n.ts';
import * as z from 'zod';
import type { FieldPath } from '../../src/shared/experiment/field.ts';
import { isFieldPath } from '../../src/shared/experiment/fields.ts';
import type { FieldEdit } from '../../src/shared/experiment/textEdit.ts';
import { failureOf, RpcError } from '../../src/shared/rpc/rpcError.ts';
import * as contract from '../../src/shared/views/experiment.ts';
import { element } from '../lib/element.ts';
import { connect, keep, restore } from '../lib/host.ts';
import { Form, type FormHost } from './form.ts';
import { unreadable } from './unreadable.ts';

const stateSchema = z.strictObject({ text: z.string(), onlyDiffering: z.boolean(), scroll: z.number() });

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
let form: Form | null = null;
let run: contract.FormRun | null = null;
let wanted: string | null = null;
/** Handed over for saving: in the document with its next change. */
let arriving: (() => void)[] = [];

async function ask(question: Promise<unknown>): Promise<void> {
  try {
    await question;
    notice.hidden = true;
  } catch (error) {
    say(error);
  }
}

/** After what was typed is in the document. */
function afterTyping(question: () => Promise<unknown>): void {
  form?.pending.flush();
  void ask(question());
}

/** Edits as they travel. */
const wire = (edits: readonly FieldEdit[]) =>
  edits.map(({ path, to }) => (to === undefined ? { path: [...path] } : { path: [...path], to }));

const host: FormHost = {
  send: (edits) => ask(channel.call(contract.edit, wire(edits))),
  openText: (at) =>
    afterTyping(() => channel.call(contract.openText, at === null ? null : { line: at.line, column: at.column })),
  start: () => afterTyping(() => channel.call(contract.startRun, null)),
  check: () => afterTyping(() => channel.call(contract.checkExperiment, null)),
  browse: (field) => void ask(browse(field)),
  apply: (dir, changes) => ask(channel.call(contract.applyToRun, { run: dir, changes: [...changes] })),
  calibration: (dir) => void ask(channel.call(contract.openCalibration, { run: dir })),
  save: (file) => void ask(channel.call(contract.saveFile, file)),
  found: () => remember(),
};

function remember(): void {
  if (form !== null) keep({ ...form.finder.found, scroll: window.scrollY });
}

async function browse(field: FieldPath): Promise<void> {
  const to = await channel.call(contract.browse, { field });
  if (to !== null) form?.pending.now({ path: field.split('.'), to });
}

channel.on(contract.documentChanged, (document) => {
  if (document.written === null) {
    // What was typed cannot be put into a text that cannot be read; it stays in the fields for when it can.
    page.replaceChildren(unreadable(document.file, document.problems, (at) => host.openText(at)));
    return;
  }
  if (form === null) {
    form = new Form(host, document);
    const { scroll, ...found } = restore(stateSchema) ?? { scroll: 0, text: '', onlyDiffering: false };
    form.finder.restore(found);
    // Once it has been drawn: a page that was hidden comes back as it was left.
    requestAnimationFrame(() => window.scrollTo(0, scroll));
  }
  if (!form.node.isConnected) page.replaceChildren(form.node);
  for (const arrived of arriving.splice(0)) arrived();
  form.setRun(run);
  form.setDocument(document);
  if (wanted !== null && isFieldPath(wanted)) form.show(wanted);
  wanted = null;
});
channel.on(contract.runChanged, (now) => {
  run = now;
  form?.setRun(run);
});
channel.on(contract.showField, ({ field }) => {
  if (form === null) wanted = field;
  else form.show(field);
});
channel.handle(contract.takePending, () => {
  const taken = form?.pending.take();
  if (taken === undefined) return [];
  arriving = [...arriving, taken.arrived];
  return wire(taken.edits);
});

window.addEventListener('scrollend', remember);
// Whatever was typed is meant when the person turns elsewhere.
window.addEventListener('blur', () => form?.pending.flush());
window.addEventListener(
  'keydown',
  (event) => {
    const command = (event.ctrlKey || event.metaKey) && !event.altKey;
    if (command && event.key.toLowerCase() === 'f') {
      event.preventDefault();
      form?.finder.focus();
    }
    // The editor undoes its last step; what was typed after that step goes first.
    if (command && !event.shiftKey && event.key.toLowerCase() === 'z' && form?.pending.drop() === true) {
      event.preventDefault();
      event.stopImmediatePropagation();
    }
  },
  { capture: true },
);
