/** The experiment form: one view of a text document, which the host owns. */
import '../lib/l10n.ts';
import * as z from 'zod';
import type { FieldPath } from '../../src/shared/experiment/field.ts';
import { isFieldPath } from '../../src/shared/experiment/fields.ts';
import type { FieldEdit } from '../../src/shared/experiment/text/textEdit.ts';
import * as contract from '../../src/features/experiment/contract.ts';
import { queueAnew, queuedChanged, type QueuedNoticeData } from '../../src/shared/rpc/queuedNotice.ts';
import { DocumentPage } from '../lib/documentPage.ts';
import { keep, restore } from '../lib/host.ts';
import { unreadable } from '../lib/unreadable.ts';
import { Form, type FormHost } from './form.ts';

const stateSchema = z.strictObject({
  text: z.string(),
  onlyDiffering: z.boolean(),
  scroll: z.number(),
  /** Groups whose fold is open. */
  open: z.array(z.string()).default([]),
});

const page = new DocumentPage<FieldEdit>(() => form?.pending);
const { channel } = page;
let form: Form | null = null;
let run: contract.FormRun | null = null;
let branch: contract.FormBranch | null = null;
let rerun: { name: string } | null = null;
let basis: contract.FormBasis | undefined;
let wanted: string | null = null;
let queued: QueuedNoticeData = null;

/** Edits as they travel. */
const wire = (edits: readonly FieldEdit[]) =>
  edits.map(({ path, to }) => (to === undefined ? { path: [...path] } : { path: [...path], to }));

const host: FormHost = {
  queueAnew: () => page.afterTyping(() => channel.call(queueAnew, null)),
  send: (edits) => page.ask(channel.call(contract.edit, wire(edits))),
  openText: (at) =>
    page.afterTyping(() => channel.call(contract.openText, at === null ? null : { line: at.line, column: at.column })),
  start: () => page.afterTyping(() => channel.call(contract.startRun, null)),
  check: () => page.afterTyping(() => channel.call(contract.checkExperiment, null)),
  browse: (field) => void page.ask(browse(field)),
  apply: (dir, changes) => page.ask(channel.call(contract.applyToRun, { run: dir, changes: [...changes] })),
  branch: (changes, name) => page.ask(channel.call(contract.makeBranch, { changes: [...changes], name })),
  branchAt: (epoch) => void page.ask(channel.call(contract.branchAt, { epoch })),
  calibration: (dir) => void page.ask(channel.call(contract.openCalibration, { run: dir })),
  save: (file) => void page.ask(channel.call(contract.saveFile, file)),
  found: () => remember(),
};

function remember(): void {
  if (form !== null) keep({ ...form.finder.found, scroll: window.scrollY, open: form.open });
}

async function browse(field: FieldPath): Promise<void> {
  const to = await channel.call(contract.browse, { field });
  if (to !== null) form?.pending.now({ path: field.split('.'), to });
}

channel.on(contract.documentChanged, (document) => {
  if (document.written === null) {
    // The document is unreadable, so typed text stays in the fields until it can be inserted.
    page.show(unreadable(document.file, document.problems, (at) => host.openText(at)));
    return;
  }
  if (form === null) {
    const { scroll, open, ...found } = restore(stateSchema) ?? { scroll: 0, open: [], text: '', onlyDiffering: false };
    form = new Form(host, document, open);
    form.finder.restore(found);
    // Once it has been drawn: a page that was hidden comes back as it was left.
    requestAnimationFrame(() => window.scrollTo(0, scroll));
  }
  page.show(form.node);
  page.changed();
  form.setRun(run);
  form.setBranch(branch);
  form.setRerun(rerun);
  form.setDocument(document);
  if (basis !== undefined) form.setBasis(basis);
  form.setQueued(queued);
  if (wanted !== null && isFieldPath(wanted)) form.show(wanted);
  wanted = null;
});
channel.on(contract.runChanged, (now) => {
  run = now;
  form?.setRun(run);
});
channel.on(contract.branchChanged, (now) => {
  branch = now;
  form?.setBranch(now);
});
channel.on(contract.rerunChanged, (now) => {
  rerun = now;
  form?.setRerun(now);
});
channel.on(contract.basisChanged, (now) => {
  basis = now;
  form?.setBasis(now);
});
channel.on(contract.showField, ({ field }) => {
  if (form === null) wanted = field;
  else form.show(field);
});
channel.on(queuedChanged, (now) => {
  queued = now;
  form?.setQueued(now);
});
channel.handle(contract.takePending, () => wire(page.handOver()));

window.addEventListener('scrollend', remember);
window.addEventListener(
  'keydown',
  (event) => {
    const command = (event.ctrlKey || event.metaKey) && !event.altKey;
    if (!command || event.key.toLowerCase() !== 'f') return;
    event.preventDefault();
    form?.finder.focus();
  },
  { capture: true },
);
