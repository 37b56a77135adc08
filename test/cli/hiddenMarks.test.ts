/** Text of strangers reaches the terminal by many ways; by none may it steer one. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { sampleAdapter } from '../support/adapters/sampleAdapter.ts';
import { cli } from '../support/built.ts';
import { ended, environment, Workspace, type Ended } from '../support/genenv.ts';
import { skip } from '../support/skip.ts';
import { tiny } from '../support/tiny.ts';

const hostile = 'a\u001B]0;title\u0007b\u009B31m\u202Egnp\u2069\u200Bend';
const visible = 'a␛]0;title␇b\\u{9b}31m\\u{202e}gnp\\u{2069}\\u{200b}end';
const obeyed = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u200B\u202A-\u202E\u2066-\u2069]/;

describe('genenv: text that would steer a terminal', () => {
  const workspace = new Workspace();
  let run = '';
  const says = ({ out, err }: Ended, text = visible): void => {
    assert.doesNotMatch(out + err, obeyed);
    assert.ok((out + err).includes(text), `${out}${err} does not show ${text}`);
  };
  const adapter = {
    ...sampleAdapter(),
    data: { ...sampleAdapter().data, folder: '.', obtain: `See ${hostile}.` },
  };

  before(async () => {
    const rows = ['right', 'wrong'].map((content, solved) => ({
      messages: [
        { role: 'user', content: `Say ${hostile}` },
        { role: 'assistant', content: `${content} ${hostile}` },
      ],
      reward: solved,
      step: 1,
    }));
    workspace.write('r.jsonl', rows.map((row) => JSON.stringify(row)).join('\n'));
    const made = await workspace.genenv('import', 'r.jsonl', '--rollouts', '--name', `run ${hostile}`);
    assert.equal(made.code, 0, made.err);
    run = readdirSync(workspace.runs)[0] ?? '';
    workspace.write('city.adapter.json', JSON.stringify(adapter));
    workspace.write(`q.jsonl`, JSON.stringify({ question: hostile }));
  });
  after(() => workspace.remove());

  it('is shown by search', async () => {
    says(await workspace.genenv('search', run, 'end'), 'gnp\\u{2069}\\u{200b}end');
    says(await workspace.genenv('search', run, `verdct:${hostile}`));
  });

  it('is shown by show', async () => {
    says(await workspace.genenv('show', run), `run ${visible}`);
    const { out } = await workspace.genenv('search', run, 'right', '--json');
    const id = /"trace":"([^"]+)"/.exec(out)?.[1] ?? '';
    says(await workspace.genenv('show', run, '--trace', id), `right ${visible}`);
    says(await workspace.genenv('show', run, '--trace', hostile));
  });

  it('is shown by validate', async () => {
    workspace.write('bad.genenv.json', { ...tiny, [hostile]: 1 });
    says(await workspace.genenv('validate', 'bad.genenv.json'));
    says(await workspace.genenv('validate', `${hostile}.genenv.json`));
  });

  it('is shown by check-adapter', async () => {
    says(await workspace.genenv('check-adapter', 'city.adapter.json', '--data', hostile));
    workspace.write('bad.adapter.json', JSON.stringify({ ...adapter, [hostile]: 1 }));
    says(await workspace.genenv('check-adapter', 'bad.adapter.json'));
  });

  it('is shown by score', async () => {
    workspace.write('cases.jsonl', JSON.stringify({ prediction: 'x', gold: 'x', [hostile]: hostile }));
    says(await workspace.genenv('score', 'bamboogle', '--in', hostile));
    says(await workspace.genenv('score', hostile));
  });

  it('is shown by every command that cannot find what was asked for', async () => {
    for (const command of ['report', 'health', 'resume', 'audit-rewards', 'check', 'doctor', 'test-reward']) {
      says(await workspace.genenv(command, hostile));
    }
  });

  it('stays what it was in JSON, escaped on a terminal', async function () {
    const { out } = await workspace.genenv('show', run, '--json');
    assert.ok(out.includes('\u202Egnp'), 'exact for programs');
    if (spawnSync('script', ['--version']).error !== undefined) skip(this, 'there is no program "script"');
    const command = `'${process.execPath}' '${cli}' show '${run}' --json`;
    const child = spawn('script', ['-qefc', command, '/dev/null'], { cwd: workspace.dir, env: environment({}) });
    const shown = (await ended(child)).out.replaceAll('\r\n', '\n');
    assert.doesNotMatch(shown, obeyed);
    assert.deepEqual(JSON.parse(shown), JSON.parse(out));
  });
});
