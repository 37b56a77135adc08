import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readTalk } from '../../src/features/talk/core/talk.ts';
import { ended, Workspace } from '../support/genenv.ts';
import { tiny } from '../support/tiny.ts';

describe('genenv talk', () => {
  const workspace = new Workspace();
  let id = '';
  const talk = (typed: string, ...words: string[]) => {
    const child = workspace.start(['talk', id, ...words]);
    child.stdin?.end(typed);
    return ended(child);
  };

  before(async () => {
    workspace.write('talked.genenv.json', { ...tiny, name: 'talked', epochs: 1, rollouts: { group: 4, maxTurns: 6 } });
    assert.equal((await workspace.genenv('run', 'talked.genenv.json')).code, 0);
    id = readdirSync(workspace.runs).at(-1) ?? '';
  });
  after(() => workspace.remove());

  it('lets two versions answer, with a task’s tools, and keeps the conversation in a file', async () => {
    const made = await talk(
      '',
      '--by',
      'agent@0',
      '--by',
      'environment@0',
      '--task',
      'e1.f0.v0',
      '--file',
      'a.talk.json',
    );
    assert.equal(made.code, 0, made.err);
    assert.match(made.out, /\nuser\nMENU .* CALL\n\nagent@0\n[^]*\n\nenvironment@0\n/);
    const again = await talk('first count milk CALL\n.\n', '--file', 'a.talk.json', '--json');
    assert.equal(again.code, 0, again.err);
    const { talk: kept } = readTalk(readFileSync(join(workspace.dir, 'a.talk.json'), 'utf8'));
    assert.deepEqual(readTalk(again.out).talk, kept);
    assert.deepEqual(
      kept?.exchanges.map(({ you, by }) => [you, ...by]),
      [
        [null, 'agent@0', 'environment@0'],
        ['first count milk CALL', 'agent@0', 'environment@0'],
      ],
    );
    assert.equal(kept.run, `.genenv/runs/${id}`);
  });

  it('continues a file with the options given now, and refuses another run or task', async () => {
    const begun = await talk('first\n.\n', '--by', 'agent@0', '--file', 'b.talk.json');
    assert.equal(begun.code, 0, begun.err);
    const path = join(workspace.dir, 'b.talk.json');
    const now = () => readTalk(readFileSync(path, 'utf8')).talk;
    const bad = await talk('second', '--by', 'agent@9', '--file', 'b.talk.json');
    assert.deepEqual([bad.code, now()?.policies], [2, ['agent@0']]);
    const again = await talk(
      'second',
      '--by',
      'environment@0',
      '--seed',
      '7',
      '--temperature',
      '0',
      '--file',
      'b.talk.json',
    );
    assert.match(again.out, /environment@0 read what agent@0 said before\./);
    assert.equal(again.code, 0, again.err);
    assert.deepEqual([now()?.policies, now()?.seed, now()?.temperature], [['environment@0'], 7, 0]);
    assert.deepEqual(
      now()?.exchanges.map(({ by }) => by),
      [['agent@0'], ['environment@0']],
    );
    const before = readFileSync(path, 'utf8');
    const other = await talk('', '--task', 'e1.f0.v0', '--file', 'b.talk.json');
    assert.deepEqual([other.code, /a conversation about no task/.test(other.err)], [2, true], other.err);
    workspace.write('c.talk.json', { ...now(), run: '.genenv/runs/other' });
    const stray = await talk('x', '--file', 'c.talk.json');
    assert.deepEqual([stray.code, /about another run: .*other/.test(stray.err)], [2, true], stray.err);
    assert.equal(readFileSync(path, 'utf8'), before);
  });

  it('answers a message that the end of the input sends', async () => {
    const made = await talk('first count\nmilk', '--by', 'agent@0', '--json');
    assert.equal(made.code, 0, made.err);
    assert.deepEqual(
      readTalk(made.out).talk?.exchanges.map(({ you }) => you),
      ['first count\nmilk'],
    );
    assert.equal(readTalk((await talk('\n \n', '--by', 'agent@0', '--json')).out).talk?.exchanges.length, 0);
  });

  it('refuses what it cannot ask', async () => {
    for (const [words, message] of [
      [['--by', 'agent@7'], /agent@7: This run has no agent@7/],
      [['--by', 'a', '--by', 'b', '--by', 'c'], /more than two versions/],
      [['--temperature', 'hot'], /a number from 0 to 5/],
      [['--task', 'none'], /This run has no task "none"/],
    ] as const) {
      const made = await talk('first\n.\n', ...words);
      assert.equal(made.code, 2, made.out);
      assert.match(made.err, message);
    }
    workspace.write('other.talk.json', { version: 1 });
    assert.match((await talk('', '--file', 'other.talk.json')).err, /holds no conversation: run:/);
  });
});
