/** The task editor: a task file, the tasks of a run or one of its pools, over a document that the host owns. */
import '../lib/l10n.ts';
import { tasksEvents } from '../../src/features/tasks/contract.ts';
import { connect, keep, restore } from '../lib/host.ts';
import { navigationSchema, start } from './navigation.ts';
import { Page } from './page.ts';
import { tasksHost } from './tasksHost.ts';

const channel = connect((error) => page.fail(error));
const page = new Page(tasksHost(channel), restore(navigationSchema) ?? start, keep);
document.getElementById('root')?.replaceChildren(page.node);

const { opened, changed, filtering, reattempt, conflicts, merged, decideFirst, select, failed } = tasksEvents;
channel.on(opened, (source) => page.open(source));
channel.on(changed, (news) => page.changed(news));
channel.on(filtering, (progress) => page.filtering(progress));
channel.on(reattempt, (state) => page.reattempted(state));
channel.on(conflicts, (state) => page.conflicts(state));
channel.on(merged, (how) => page.merged(how));
channel.on(decideFirst, () => page.decideFirst());
channel.on(select, ({ id }) => page.select(id));
channel.on(failed, ({ message, remedy }) => page.notices.fail(message, remedy));

// Leaving the page commits typed text.
window.addEventListener('blur', () => page.commit());
window.addEventListener(
  'keydown',
  (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
    const key = event.key.toLowerCase();
    if (key === 'f') {
      event.preventDefault();
      page.find();
    } else if (key === 's') page.commit();
    // The editor undoes edits of the document; text still being typed is the field's own.
    else if ((key === 'z' || key === 'y') && page.typing) event.stopImmediatePropagation();
  },
  { capture: true },
);
