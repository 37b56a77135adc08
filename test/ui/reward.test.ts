/** A wrong verdict, followed to the line that decided it: stopped there, mended, rescored, pinned, and gone on with. */
import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AttemptedTasks } from '../../src/launch/attemptedTasks.ts';
import { RunStore } from '../../src/runs/store/runStore.ts';
import type { Trace } from '../../src/shared/records/trace.ts';
import { rewardCall } from '../../src/shared/rewards/given.ts';
import { runInto } from '../support/cliRun.ts';
import { pressAt } from '../support/focus.ts';
import { all } from '../support/runs/tempRuns.ts';
import { story } from '../support/ui/story.ts';
import { shotPath, uiSuite } from '../support/ui/uiSuite.ts';
import { eventually } from '../support/until.ts';

const small = ['epochs=1', 'generation.families=6', 'validation.tasks=20', 'rollouts.group=6', 'name=judged'];
const log = { info: () => undefined, warn: () => undefined };

const wrong = `interface Task {
  gold: string | null;
}
interface Trace {
  answer: string;
}

export function reward(task: Task, trace: Trace): { success: boolean; reward: number } {
  const said = trace.answer.trim();
  const right = said === task.gold;
  const short = said.length < 40;
  return { success: right && short, reward: right && short ? 1 : 0 };
}
`;
const mended = wrong.replace('said.length < 40', 'said.length < 400');

describe('a wrong verdict', function () {
  this.timeout(300_000);
  story();
  let run = '';
  /** Judged wrong by the length of the answer. */
  const flips: { trace: Trace; answer: string }[] = [];
  const ui = uiSuite('reward', {
    prepare: async (folder) => {
      await writeFile(join(folder, 'mine.reward.ts'), wrong);
      await runInto(folder, 'embedded.genenv.json', ...small, 'reward.file=mine.reward.ts');
    },
  });
  const root = () => join(ui.folder, '.genenv/runs');
  const ids = async (): Promise<string[]> => (await readdir(root())).filter((id) => !id.startsWith('.'));
  const lens = (text: string) => ui.win.page.locator('.codelens-decoration a').filter({ hasText: text }).first();
  const shot = (name: string) => ui.win.screenshot(shotPath(name));

  before(async () => {
    [run = ''] = await ids();
    const store = new RunStore(root(), { clock: { now: () => Date.now() }, log, version: 'test' });
    const reader = await store.openReader(run);
    const tasks = await AttemptedTasks.read(reader);
    for (const trace of await all(reader.traces())) {
      const task = (await tasks.of(trace)) ?? assert.fail(`${trace.task} is recorded`);
      const answer = rewardCall(task, trace).trace.answer.trim();
      if (answer === task.gold && answer.length >= 40) flips.push({ trace, answer });
    }
    await reader.close();
    assert.ok(flips.length > 0);
    assert.ok(flips.every(({ trace }) => !trace.verdict.success));
  });

  it('is one click from the line that decided it', async () => {
    const [first = assert.fail('one is wrong')] = flips;
    await ui.win.command('GenEnv: Search Traces');
    const query = ui.win.page.locator('.quick-input-widget input').first();
    await query.fill(`verdict:fail "${first.answer}"`);
    await ui.win.row('Search for').click();
    await ui.win
      .treeItem(/^Attempt r\d/)
      .first()
      .waitFor();
    await ui.win.command('Trace Search: Focus on Trace Search View');
    // The run, its epoch, the task, the attempt, what matched in it.
    const found = ui.win.page.locator('.part.panel .monaco-list');
    await pressAt(found, 'Home', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'Enter');
    await ui.win.tab(/r\d/).first().waitFor();
    await ui.win.command('View: Focus Active Editor Group');
    await pressAt(ui.win.editor, 'ControlOrMeta+Home');
    await lens('Debug Reward').click();
    const stopped = ui.win.page.locator('.debug-top-stack-frame-line');
    await stopped.first().waitFor();
    await ui.win.tab('mine.reward.ts').first().waitFor();
    const variables = ui.win.page.locator('.debug-variables .monaco-list-row');
    // From the first line of the function on, a line at a time: what it decided by is there once it was gone through.
    for (const decided of [/^\s*said\s*[:=].*first/, /^\s*right\s*[:=]\s*true/, /^\s*short\s*[:=]\s*false/]) {
      await ui.win.command('Debug: Step Over');
      await variables.filter({ hasText: decided }).first().waitFor();
    }
    await ui.win.page.locator('.debug-toolbar .codicon-debug-stop').waitFor();
    const session = ui.win.page.locator('.debug-call-stack .session').first();
    await eventually(async () => assert.match(await session.innerText(), /^r\d+ · [ev]\d+\//));
    await shot('reward-stopped');
    await ui.win.command('Debug: Stop');
    await stopped.first().waitFor({ state: 'detached' });
  });

  it('is mended, and a rescoring shows what flips: that and no other', async () => {
    await writeFile(join(ui.folder, 'mine.reward.ts'), mended);
    await ui.win.openFile('mine.reward.ts');
    await lens('Rescore a Run').click();
    const page = await ui.win.webview('rescore');
    await page
      .getByText(new RegExp(`^${flips.length} of \\d+ attempts flip`))
      .first()
      .waitFor();
    await shot('reward-rescored');
    await page.getByRole('button', { name: 'Apply to Run…' }).click();
    const dialog = ui.win.page.locator('.monaco-dialog-box');
    await dialog.waitFor();
    await shot('reward-apply');
    await dialog.locator('.monaco-button').filter({ hasText: 'Apply' }).click();
    await page.getByText(/applied by/).waitFor();
    const journal = await readFile(join(root(), run, 'journal.jsonl'), 'utf8');
    assert.match(journal, new RegExp(`"type":"verdicts.rescored".*"flips":${flips.length}\\b`));
  });

  it('is pinned, and the run goes on with the mended reward', async () => {
    const [first = assert.fail('one was wrong')] = flips;
    const page = await ui.win.webview('rescore');
    await page.getByRole('row').filter({ hasText: first.trace.id }).first().press('Enter');
    await lens('Pin as Case').click();
    await ui.win.page.getByRole('option', { name: /^Solved/ }).click();
    await ui.win.message('Pinned in');
    await ui.win
      .tab(/Rescore: /)
      .first()
      .click();
    await (await ui.win.webview('rescore')).getByRole('button', { name: 'Continue with This Reward…' }).click();
    const form = await ui.win.webview('experiment');
    const banner = form.getByRole('region', { name: 'Branch of a run' });
    await banner.getByText('Judged by “mine.reward.ts”').waitFor();
    await form.getByRole('spinbutton', { name: 'Epochs', exact: true }).fill('2');
    await banner.getByText('1 → 2').waitFor();
    await banner.getByRole('button', { name: 'Branch with These Values' }).click();
    await ui.win.message('is finished. All 2 epochs');
    const branch = (await ids()).find((id) => id !== run) ?? assert.fail('it was branched');
    const judges = join(root(), branch, 'inputs', 'reward', 'mine.reward.ts');
    await eventually(async () => assert.equal(await readFile(judges, 'utf8'), mended));
    await shot('reward-continued');
  });
});
