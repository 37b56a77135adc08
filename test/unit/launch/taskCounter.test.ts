/** Tasks counted in the files of an experiment, again only where a file has changed. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { TaskCounter } from '../../../src/launch/inputs/taskCounter.ts';
import { resolveExperiment } from '../../../src/shared/experiment/resolve.ts';

const lines = (count: number): string => Array.from({ length: count }, (_, id) => `{"id":"t${id}"}`).join('\n');

describe('the tasks of files', () => {
  let directory = '';
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'genenv-task-counter-'));
  });
  after(() => rm(directory, { recursive: true }));

  it('are counted again where their file has changed, and stay as they were until then', async () => {
    const held = join(directory, 'held.jsonl');
    await writeFile(held, lines(3));
    const own = resolveExperiment({
      name: 'own',
      preset: 'embedded',
      domain: { name: 'stories', heldOut: 'held.jsonl' },
    });
    const counter = new TaskCounter(pathToFileURL(`${directory}/`));
    const told = (counts: { heldOut: ReadonlyMap<string, number> }) => counts.heldOut.get('stories');
    assert.equal(told(counter.known(own, directory)), undefined);
    assert.equal(told(await counter.count(own, directory)), 3);
    await writeFile(held, lines(5));
    await utimes(held, 1000, 1000);
    const counting = counter.count(own, directory);
    assert.equal(told(counter.known(own, directory)), 3, 'the last count, while another is under way');
    assert.equal(told(await counting), 5);
    await writeFile(held, lines(5).replaceAll('\n', ' '));
    await utimes(held, 1000, 1000);
    assert.equal(told(await counter.count(own, directory)), 5, 'nothing tells of a change');
    counter.recount();
    assert.equal(told(counter.known(own, directory)), 5);
    assert.equal(told(await counter.count(own, directory)), 1);
    await rm(held);
    assert.equal(told(await counter.count(own, directory)), undefined);
  });
});
