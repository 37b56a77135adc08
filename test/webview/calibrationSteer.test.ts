/** The buttons that steer a run, on the calibration page in a real browser. */
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { ScriptedHost } from '../support/calibration/scriptedHost.ts';
import { syntheticEvents } from '../support/report/syntheticEvents.ts';
import { syntheticCourse } from '../support/report/syntheticRun.ts';
import { eventually, until } from '../support/until.ts';
import { pageSuite } from '../support/webviews/pageSuite.ts';

describe('the calibration page', function () {
  this.timeout(240_000);
  const suite = pageSuite();

  it('steers the run, as far as it and the folder allow', async () => {
    const course = syntheticCourse({ epochs: 20 });
    const host = new ScriptedHost(course.experiment, syntheticEvents(course), { state: 'running', writer: 'here' });
    const { page, channel } = await suite.open('calibration', (opened) => host.open(opened), { height: 1000 });
    const button = (name: string): Locator => page.getByRole('button', { name, exact: true });
    await eventually(async () => assert.equal(await button('Pause at phase boundary').innerText(), 'Pause'));
    await button('Pause at phase boundary').click();
    await asked(host, 'steer', { action: 'pause', epoch: 20 });
    host.tell(channel, {}, { phases: [], pausing: 'boundary', silences: [] });
    await button('Pause now').waitFor();
    host.tell(channel, { state: 'paused', writer: null }, { phases: [], pausing: 'no', silences: [] });
    await button('Resume').click();
    await asked(host, 'steer', { action: 'resume', epoch: 20 });
    host.tell(channel, { state: 'finished' });
    await button('Resume').waitFor({ state: 'hidden' });
    await button('Stop').waitFor({ state: 'hidden' });
    host.tell(channel, { trusted: false, state: 'paused' });
    await page.locator('.steer button[title^="Trust this folder"]:visible').first().waitFor();
    await eventually(async () => assert.equal(await page.locator('.steer button:visible:enabled').count(), 0));
    host.tell(channel, { trusted: true });
    await eventually(async () => assert.equal(await button('Resume').getAttribute('title'), 'Resume'));
  });

  it('names the server that answers nothing before the phase', async () => {
    const course = syntheticCourse({ epochs: 20 });
    const host = new ScriptedHost(course.experiment, syntheticEvents(course), { state: 'running', writer: 'here' });
    const { page, channel } = await suite.open('calibration', (opened) => host.open(opened));
    await page.getByRole('button', { name: 'Pause at phase boundary', exact: true }).waitFor();
    host.tell(
      channel,
      {},
      {
        phases: [{ phase: 'attempt', epoch: 1, done: 7, total: 448, job: null }],
        ...{ pausing: 'no', silences: [{ url: 'http://gpu1:8000', seconds: 48, what: 'connection refused' }] },
      },
    );
    const text = 'No answer from gpu1:8000 for 48 s: connection refused · Epoch 1: attempting tasks, 7 of 448';
    await page.getByText(text).first().waitFor();
  });

  async function asked(host: ScriptedHost, name: string, params: unknown): Promise<void> {
    const found = await until(name, () => host.asked.findLast((one) => one.name === name));
    assert.deepEqual(found.params, params);
    host.asked.length = 0;
  }
});
