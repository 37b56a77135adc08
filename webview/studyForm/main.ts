/** The study form: one view of a text document, which the host owns. */
import '../lib/l10n.ts';
import * as z from 'zod';
import * as contract from '../../src/features/studyForm/contract.ts';
import { queueAnew, queuedChanged, type QueuedNoticeData } from '../../src/shared/rpc/queuedNotice.ts';
import { DocumentPage } from '../lib/documentPage.ts';
import { keep, restore } from '../lib/host.ts';
import { unreadable } from '../lib/unreadable.ts';
import { Form, type FormHost } from './form.ts';

const stateSchema = z.strictObject({ scroll: z.number() });

const page = new DocumentPage<contract.StudyEdit>(() => form?.pending);
const { channel } = page;
let form: Form | null = null;
let plan: contract.StudyPlan | null = null;
let queued: QueuedNoticeData = null;

const host: FormHost = {
  queueAnew: () => page.afterTyping(() => channel.call(queueAnew, null)),
  send: (edits) => page.ask(channel.call(contract.edit, [...edits])),
  openText: (at) =>
    page.afterTyping(() => channel.call(contract.openText, at === null ? null : { line: at.line, column: at.column })),
  run: () => page.afterTyping(() => channel.call(contract.runStudy, null)),
  results: () => page.afterTyping(() => channel.call(contract.openResults, null)),
  openBase: () => page.afterTyping(() => channel.call(contract.openBase, null)),
  newExperiment: () => page.afterTyping(() => channel.call(contract.newExperiment, null)),
  browse: (field) => channel.call(contract.browse, { field }),
};

channel.on(contract.documentChanged, (document) => {
  if (document.written === null) {
    // Nothing is written; typed text stays in the fields until it can be.
    page.show(unreadable(document.file, document.problems, (at) => host.openText(at)));
    return;
  }
  const first = form === null;
  form ??= new Form(host, document);
  page.show(form.node);
  page.changed();
  form.show(document);
  if (plan !== null) form.showPlan(plan);
  form.setQueued(queued);
  if (first) {
    const { scroll } = restore(stateSchema) ?? { scroll: 0 };
    requestAnimationFrame(() => window.scrollTo(0, scroll));
  }
});
channel.on(contract.planChanged, (now) => {
  plan = now;
  form?.showPlan(now);
});
channel.on(queuedChanged, (now) => {
  queued = now;
  form?.setQueued(now);
});
channel.handle(contract.takePending, () => [...page.handOver()]);

window.addEventListener('scrollend', () => keep({ scroll: window.scrollY }));
