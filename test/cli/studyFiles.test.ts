/** A study of which one arm cannot run: told before anything is begun where its files say so, else of that run alone. */
import assert from 'node:assert/strict';
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { Workspace } from '../support/genenv.ts';
import { tiny } from '../support/tiny.ts';

const text = `{
  "version": 1,
  "name": "arms",
  "base": "base.genenv.json",
  "seeds": [1, 2],
  "budget": { "updates": 1 },
  "arms": {
    "plain": {},
    "missing": { "reward.file": "gone.reward.js" },
    "broken": {
      "domain.seeds": "broken.jsonl"
    }
  }
}`;

describe('what is wrong with single arms of a study', function () {
  this.timeout(240_000);
  let workspace: Workspace;
  beforeEach(() => {
    workspace = new Workspace();
    workspace.write('base.genenv.json', { ...tiny, name: 'base', epochs: 1 });
    workspace.write('arms.study.json', text);
    workspace.write('broken.jsonl', '{"id": "a"}\n');
  });
  afterEach(() => workspace.remove());

  for (const words of [
    ['study', 'arms.study.json'],
    ['queue', 'add', 'arms.study.json'],
  ]) {
    it(`is reported before the first run begins if it is a fault of a file: genenv ${words.slice(0, -1).join(' ')}`, async () => {
      const { code, err } = await workspace.genenv(...words);
      assert.equal(code, 2, err);
      assert.match(err, /arms\.study\.json:9:\d+: error: In the arm "missing": There is no file .*gone\.reward\.js/);
      assert.match(err, /broken\.jsonl:1:\d+: error: In the arm "broken": /);
      assert.doesNotMatch(err, /"plain"/);
      for (const folder of ['.genenv/runs', 'arms.study']) {
        assert.equal(existsSync(join(workspace.dir, folder)), false, folder);
      }
    });
  }

  it('holds an arm that was taken out to its runs when it is put back', async () => {
    const one = { version: 1, name: 'arms', base: 'base.genenv.json', seeds: [1], budget: { updates: 1 } };
    const write = (arms: object): void => workspace.write('arms.study.json', { ...one, arms });
    write({ genenv: {}, other: { 'curriculum.alpha': 0.3 } });
    assert.equal((await workspace.genenv('study', 'arms.study.json')).code, 0);
    write({ genenv: {} });
    assert.equal((await workspace.genenv('study', 'arms.study.json')).code, 0);
    write({ genenv: {}, other: { 'curriculum.alpha': 0.8 } });
    const { code, err } = await workspace.genenv('study', 'arms.study.json');
    assert.equal(code, 2, err);
    assert.match(err, /The study has changed since it began: the run “other · seed 1”/);
    write({ genenv: {}, other: { 'curriculum.alpha': 0.3 } });
    assert.equal((await workspace.genenv('study', 'arms.study.json')).code, 0);
  });

  it('ends the run that a person changed, and no other', async () => {
    const one = { version: 1, name: 'arms', base: 'base.genenv.json', seeds: [1], budget: { updates: 1 } };
    workspace.write('arms.study.json', { ...one, arms: { genenv: {}, random: { mode: 'random' } } });
    assert.equal((await workspace.genenv('study', 'arms.study.json')).code, 0);
    // As after a kill: both runs are over, and the study does not know it yet.
    const known = join(workspace.dir, 'arms.study', 'members.jsonl');
    const began = readFileSync(known, 'utf8')
      .split('\n')
      .filter((line) => line.includes('"began"'));
    writeFileSync(known, `${began.join('\n')}\n`);
    const { run } = z.looseObject({ run: z.string() }).parse(JSON.parse(began[0] ?? ''));
    const journal = join(workspace.dir, '.genenv', 'runs', run, 'journal.jsonl');
    const { seq } = z
      .looseObject({ seq: z.number() })
      .parse(JSON.parse(readFileSync(journal, 'utf8').trimEnd().split('\n').at(-1) ?? ''));
    const changed = { v: 1, seq: seq + 1, at: 0, type: 'settings.changed', epoch: 1, author: 'a person', changes: [] };
    appendFileSync(journal, `${JSON.stringify(changed)}\n`);
    const { code, err } = await workspace.genenv('study', 'arms.study.json');
    assert.equal(code, 1, err);
    assert.match(
      err,
      /genenv · seed 1: 1 error in the input\.\n.*journal\.jsonl:\d+:1: error: .*settings\.changed stands in its journal/,
    );
    assert.match(err, /1 run did not get to the end/);
    assert.match(readFileSync(known, 'utf8'), /"finished","member":"random · seed 1"/);
  });
});
