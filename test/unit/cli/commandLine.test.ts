import assert from 'node:assert/strict';
import { parseCommandLine } from '../../../src/cli/commandLine.ts';
import type { CommandSpec } from '../../../src/cli/commandParts.ts';
import { commands } from '../../../src/cli/commandSpec.ts';
import { commandHelp, generalHelp } from '../../../src/cli/helpText.ts';
import { UsageError } from '../../../src/cli/usageError.ts';

const parsed = (line: string): ReturnType<typeof parseCommandLine> => parseCommandLine(line.split(' '));
const refused = (line: string): string => {
  try {
    parsed(line);
  } catch (error) {
    assert.ok(error instanceof UsageError);
    return `${error.message} ${error.remedy}`.trim();
  }
  return assert.fail(`accepted: ${line}`);
};

describe('the command line', () => {
  it('is a command, its argument and its options, in any order', () => {
    const line = parsed('branch --set a.b=1 20261121 --epoch=3 --json --set c=--d');
    assert.ok(line.kind === 'command');
    assert.equal(line.command, 'branch');
    assert.equal(line.arguments.target, '20261121');
    assert.equal(line.arguments.count('epoch'), 3);
    assert.deepEqual(line.arguments.all('set'), ['a.b=1', 'c=--d']);
    assert.ok(line.arguments.has('json'));
    assert.equal(line.arguments.text('root'), null);
  });

  it('asks for help in every way people try', () => {
    assert.deepEqual(parseCommandLine([]), { kind: 'help', command: null });
    for (const line of ['--help', '-h', 'help']) assert.deepEqual(parsed(line), { kind: 'help', command: null });
    for (const line of ['run --help', 'run -h', 'run x --help', 'help run']) {
      assert.deepEqual(parsed(line), { kind: 'help', command: 'run' }, line);
    }
    assert.deepEqual(parsed('--version'), { kind: 'version' });
  });

  it('says what was probably meant', () => {
    assert.equal(refused('lsit'), 'There is no command "lsit". Did you mean "genenv list"?');
    assert.match(refused('frobnicate'), /The commands are run, resume, .*\.$/);
    assert.equal(refused('list --jsno'), '"genenv list" has no option --jsno. Did you mean --json?');
    assert.equal(refused('list -x'), '"genenv list" has no option -x. See genenv list --help.');
    assert.match(refused('--json list'), /stands before the command\. Write the command first: genenv list/);
    assert.match(refused('help ruun'), /Did you mean "genenv run"/);
  });

  it('takes words of a query that begin with a hyphen as words', () => {
    for (const line of [
      'search 2026 -verdict:fail late --limit 3',
      'search --limit 3 -verdict:fail 2026 late',
      'search 2026 --limit 3 -- -verdict:fail late',
    ]) {
      const read = parsed(line);
      assert.ok(read.kind === 'command', line);
      assert.equal(read.arguments.target, '2026');
      assert.deepEqual(read.arguments.rest, ['-verdict:fail', 'late']);
      assert.equal(read.arguments.count('limit'), 3);
    }
    assert.deepEqual(parsed('search 2026 -h'), { kind: 'help', command: 'search' });
    assert.match(refused('search 2026 --limt 3'), /Did you mean --limit/);
    assert.equal(refused('search -verdict:fail'), '"genenv search" needs RUN. Id of a run, or the beginning of one.');
  });

  it('refuses what it would have to guess', () => {
    assert.equal(refused('run'), '"genenv run" needs FILE. Experiment file (*.genenv.json).');
    assert.match(refused('run a b'), /does not know what to do with "b"/);
    assert.match(refused('list a'), /does not know what to do with "a"/);
    assert.equal(refused('list --root'), '--root needs a value. Write --root DIR.');
    assert.equal(refused('branch x --epoch --json'), '--epoch needs a value. Write --epoch N.');
    assert.equal(refused('list --json=yes'), '--json takes no value. Write --json alone.');
    assert.equal(refused('show x --epoch 1 --epoch 2'), '--epoch is given 2 times. Give it once.');
    const line = parsed('show x --epoch 1.5');
    assert.ok(line.kind === 'command');
    assert.throws(() => line.arguments.count('epoch'), /wants a whole number, 0 or more, not "1\.5"/);
  });

  it('takes what follows -- as it is', () => {
    const line = parsed('show -- --odd');
    assert.ok(line.kind === 'command');
    assert.equal(line.arguments.target, '--odd');
  });
});

describe('help', () => {
  it('names every command, option and exit code', () => {
    const all = generalHelp('1.2.3');
    assert.match(all, /^genenv 1\.2\.3: /);
    for (const [name, spec] of Object.entries<CommandSpec>(commands)) {
      assert.ok(all.includes(spec.summary), name);
      const line = parseCommandLine(['help', name]);
      assert.ok(line.kind === 'help' && line.command !== null);
      const text = commandHelp(line.command);
      for (const option of [...Object.keys(spec.options), 'help']) assert.ok(text.includes(`--${option}`), option);
      for (const code of ['0 done', '1 the run failed', '2 bad input', '130 paused']) assert.ok(text.includes(code));
      for (const row of text.split('\n')) assert.ok(row.length <= 110, row);
    }
  });

  it('gives examples that parse', () => {
    for (const { examples } of Object.values<CommandSpec>(commands)) {
      for (const example of examples) assert.equal(parsed(example.replace(/^genenv /, '')).kind, 'command', example);
    }
  });
});
