import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RunSlots } from '../../../src/launch/policies/runSlots.ts';
import { Schedulers } from '../../../src/launch/policies/schedulers.ts';
import { keepRooms, readRooms, type SettledRoom } from '../../../src/launch/policies/settledRooms.ts';
import { ManualTime } from '../../support/endpoints/manualTime.ts';

const rooms: SettledRoom[] = [
  { url: 'http://a/', model: 'm', room: 1000 },
  { url: 'http://b/', model: 'm', room: 70 },
];

const slots = (): RunSlots => new RunSlots(new Schedulers(new ManualTime()), rooms);

describe('the rooms of a run’s last session', () => {
  it('are half what a resumed run begins with, and never less than a new one', () => {
    const opened = slots();
    const { load, rooms: now } = opened.of('agent', 'm').of(['http://a/', 'http://b/'], null);
    assert.deepEqual(now, [500, 64]);
    assert.equal(load.room, 564);
  });

  it('are recorded as the session left them; one that did not change keeps its earlier size', () => {
    const opened = slots();
    const scheduler = opened.of('agent', 'm').of(['http://a/', 'http://b/'], null);
    const told = (a: number): SettledRoom[] => [
      { url: 'http://a/', model: 'm', room: a },
      { url: 'http://b/', model: 'm', room: 64 },
    ];
    assert.deepEqual(opened.rooms, told(1000));
    scheduler.refused(0, 0);
    assert.deepEqual(opened.rooms, told(1));
  });

  it('say nothing of another model, another address or another port', () => {
    assert.deepEqual(slots().of('agent', 'other').of(['http://a/'], null).rooms, [64]);
    assert.deepEqual(slots().of('agent', 'm').of(['http://a:81/'], null).rooms, [64]);
    assert.deepEqual(slots().of('agent', 'm').of(['http://c/'], null).rooms, [64]);
  });

  it('stay below a limit that was set since', () => {
    assert.deepEqual(slots().of('agent', 'm').of(['http://a/'], 100).rooms, [100]);
  });

  it('leave a server alone that this process uses already', () => {
    const schedulers = new Schedulers(new ManualTime());
    schedulers.of(['http://a/'], null);
    assert.deepEqual(new RunSlots(schedulers, rooms).of('agent', 'm').of(['http://a/'], null).rooms, [64]);
  });

  describe('in its folder', () => {
    let dir: string;
    beforeEach(() => (dir = mkdtempSync(join(tmpdir(), 'genenv-rooms-'))));
    afterEach(() => rmSync(dir, { recursive: true }));

    it('are read as they were kept', async () => {
      await keepRooms(dir, rooms);
      await keepRooms(dir, rooms.slice(1));
      assert.deepEqual(await readRooms(dir), rooms.slice(1));
    });

    it('are none where there is no file, or a damaged or newer one', async () => {
      assert.deepEqual(await readRooms(dir), []);
      await mkdir(join(dir, 'endpoints'));
      for (const text of [
        '',
        '{"v":1,"roo',
        '{"v":2,"rooms":[]}',
        '{"v":1,"rooms":[{"url":"u","model":"m","room":-4}]}',
      ]) {
        await writeFile(join(dir, 'endpoints', 'rooms.json'), text);
        assert.deepEqual(await readRooms(dir), []);
      }
    });
  });
});
