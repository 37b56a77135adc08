/** The adapter editor: one view of a text document, which the host owns, beside its data. */
import '../lib/l10n.ts';
import * as z from 'zod';
import * as contract from '../../src/features/adapter/contract.ts';
import { DocumentPage } from '../lib/documentPage.ts';
import { element } from '../lib/element.ts';
import { keep, restore } from '../lib/host.ts';
import { unreadable } from '../lib/unreadable.ts';
import { Form, type FormHost } from './form.ts';
import { RecordPanel } from './recordPanel.ts';
import { toolbar } from './toolbar.ts';

const stateSchema = z.strictObject({ split: z.string(), index: z.int().nonnegative(), answer: z.string() });

const page = new DocumentPage<contract.AdapterEdit>(() => form.pending);
const { channel } = page;

const host: FormHost = {
  send: (edits) => page.ask(channel.call(contract.edit, [...edits])),
  openText: (at) => page.afterTyping(() => channel.call(contract.openText, placeOf(at))),
  browse: () => void page.ask(browse()),
};
const form = new Form(host);
const panel = new RecordPanel({
  record: (at) => channel.call(contract.showRecord, at),
  judge: (at, answer) => channel.call(contract.tryAnswer, { ...at, answer }),
  open: (at) => void page.ask(channel.call(contract.openRecord, at)),
  failed: (error) => page.say(error),
  moved: (state) => keep(state),
});
const kept = restore(stateSchema);
if (kept !== undefined) panel.restore(kept);

async function browse(): Promise<void> {
  const to = await channel.call(contract.browse, null);
  if (to !== null) form.pending.now({ path: ['data', 'folder'], to });
}

const bar = toolbar({
  check: () => page.afterTyping(() => channel.call(contract.check, null)),
  evaluate: () => page.afterTyping(() => channel.call(contract.evaluate, null)),
  seeds: () => page.afterTyping(() => channel.call(contract.useAsSeeds, null)),
  copy: () => page.afterTyping(() => channel.call(contract.copyToWorkspace, null)),
  openText: () => page.afterTyping(() => channel.call(contract.openText, null)),
});
const body = element('div', { class: 'body' }, form.node, panel.node);

/** A place as it travels. */
const placeOf = (at: { line: number; column: number } | null): { line: number; column: number } | null =>
  at === null ? null : { line: at.line, column: at.column };

channel.on(contract.documentChanged, (document) => {
  if (document.written === null) {
    // Nothing is written; typed text stays in the fields until it can be.
    page.show(unreadable(document.file, document.problems, (at) => host.openText(at)));
    return;
  }
  page.show(bar.node, body);
  page.changed();
  bar.show(document);
  form.show(document);
  panel.setSplits(form.splits);
});
channel.on(contract.dataChanged, (data) => {
  form.showData(data);
  panel.setData(data);
});
channel.handle(contract.takePending, () => [...page.handOver()]);
