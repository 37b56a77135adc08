import assert from 'node:assert/strict';
import { readCase } from '../../../src/benchmarks/offline/pythonCase.ts';
import { checkTurns } from '../../../src/benchmarks/bfcl/multiTurn/checkTurns.ts';
import { Instances } from '../../../src/benchmarks/bfcl/multiTurn/instances.ts';
import { jsonDumps } from '../../../src/benchmarks/bfcl/multiTurn/jsonDumps.ts';
import { PythonRandom } from '../../../src/benchmarks/bfcl/multiTurn/apis/pythonRandom.ts';
import { recordOf } from '../../../src/benchmarks/bfcl/multiTurn/turnCase.ts';
import { surroundingsOn } from '../../../src/benchmarks/bfcl/multiTurn/surroundings.ts';
import { openBfclMultiTurn } from '../../../src/benchmarks/bfcl/multiTurn/offline.ts';
import { Dict, Tuple } from '../../../src/benchmarks/bfcl/python/value.ts';
import { CaseError } from '../../../src/benchmarks/offline/offlineScorer.ts';
import { benchmarkFolders } from '../../support/benchmarks/data.ts';
import { firstHalf } from '../../support/bfcl/records.ts';

const today = { year: 2026, month: 11, day: 21 };
const conversations = benchmarkFolders('bfcl').flatMap(({ folder }) => {
  const answers = firstHalf(folder, 'possible_answer/BFCL_v4_multi_turn_base.json');
  return firstHalf(folder, 'BFCL_v4_multi_turn_base.json').map((line, at) => {
    const record = `{"record": ${line.slice(0, -1)}, ${(answers[at] ?? '').slice(1)}}`;
    return { ...recordOf(readCase(record)), today, longContext: null };
  });
});

const files = Dict.of([
  [
    'root',
    Dict.of([
      [
        'w',
        Dict.of([
          ['type', 'directory'],
          ['contents', new Dict()],
        ]),
      ],
    ]),
  ],
]);
const tools = (...involved: string[]): Instances =>
  new Instances('model', Dict.of([['GorillaFileSystem', files]]), involved, surroundingsOn(today, null));

describe('BFCL conversations', () => {
  it('finds the truth of the first half right, in one step or in many', () => {
    for (const conversation of conversations) {
      assert.equal(checkTurns({ ...conversation, model: conversation.truth.map((turn) => [turn]) }), null);
      const steps = conversation.truth.map((turn) => turn.map((call) => [call]));
      assert.equal(checkTurns({ ...conversation, model: steps }), null);
    }
  });

  it('finds a turn that is missing, empty, or without one of its calls', () => {
    for (const conversation of conversations) {
      const right = conversation.truth.map((turn) => [turn]);
      assert.equal(checkTurns({ ...conversation, model: right.slice(1) }), 'multi_turn:force_terminated');
      const at = conversation.truth.findIndex((turn) => turn.length > 0);
      const empty = right.map((turn, index) => (index === at ? [] : turn));
      assert.equal(checkTurns({ ...conversation, model: empty }), 'multi_turn:empty_turn_model_response');
      const broken = right.map((turn, index) => (index === at ? [['no_such_tool()']] : turn));
      assert.match(
        checkTurns({ ...conversation, model: broken }) ?? 'right',
        /^multi_turn:(instance_state|execution_response)_mismatch$/,
      );
    }
  });

  it('compares what happened, not how: other files are another state, a missing answer another response', () => {
    const check = (truth: string[][], model: string[][]) =>
      checkTurns({
        config: Dict.of([['GorillaFileSystem', files]]),
        involved: ['GorillaFileSystem'],
        truth,
        model: model.map((turn) => [turn]),
        ...{ today, longContext: null },
      });
    assert.equal(
      check([["touch(file_name='a')"]], [["mkdir(dir_name='b')", "rmdir(dir_name='b')", "touch('a')"]]),
      null,
    );
    assert.equal(check([["touch(file_name='a')"]], [["touch(file_name='b')"]]), 'multi_turn:instance_state_mismatch');
    assert.equal(check([['ls()'], ['pwd()']], [['ls()', 'pwd()'], ['ls()']]), null);
    assert.equal(check([['ls()', 'ls()']], [['ls()']]), 'multi_turn:execution_response_mismatch');
    // Facts shown in an earlier turn count, and a turn without truth is skipped.
    assert.equal(check([[], ["touch('a')"]], [["touch('a')"], ["touch('a')"]]), null);
  });

  it('shares a default list among calls, as Python does', () => {
    const twitter = tools('TwitterAPI');
    twitter.execute("authenticate_twitter(username='john', password='john123')");
    twitter.execute("post_tweet(content='a')");
    twitter.execute("mention(tweet_id=0, mentioned_usernames=['@b'])");
    assert.match(twitter.execute("post_tweet('c')"), /"mentions": \["@b"\]/);
  });

  it('gives a name before a bracket its instance, inside of texts too', () => {
    const shell = tools('GorillaFileSystem');
    assert.equal(
      shell.execute("echo(content='call ls () now')"),
      '{"terminal_output": "call model_GorillaFileSystem_instance.ls() now"}',
    );
  });

  it('evaluates calls inside of calls, and tells what Python would complain of', () => {
    const both = tools('MathAPI', 'GorillaFileSystem');
    assert.equal(both.execute("add(a=mean(numbers=[1, 2])['result'], b=2 ** 3)"), '{"result": 9.5}');
    assert.equal(
      both.execute('cd()'),
      "Error during execution: GorillaFileSystem.cd() missing 1 required positional argument: 'folder'",
    );
    assert.equal(
      both.execute('mv()'),
      "Error during execution: GorillaFileSystem.mv() missing 2 required positional arguments: 'source' and 'destination'",
    );
    assert.equal(
      both.execute('ls(b=1)'),
      "Error during execution: GorillaFileSystem.ls() got an unexpected keyword argument 'b'",
    );
    assert.equal(
      both.execute('ls(1, a=1)'),
      "Error during execution: GorillaFileSystem.ls() got multiple values for argument 'a'",
    );
    assert.equal(
      both.execute('ls(1, 2)'),
      'Error during execution: GorillaFileSystem.ls() takes from 1 to 2 positional arguments but 3 were given',
    );
    assert.equal(both.execute('nothing()'), "Error during execution: name 'nothing' is not defined");
    assert.equal(both.execute('kill()'), 'Error during execution: Function call kill is not allowed.');
    assert.equal(both.execute('divide(a=1, b=0)'), '{"error": "Cannot divide by zero"}');
  });

  it('moves and copies directories as things that stay the same', () => {
    const shell = tools('GorillaFileSystem');
    for (const call of [
      "mkdir('a')",
      "cd('a')",
      "touch('f')",
      "mkdir('b')",
      "cd('..')",
      "cp('a', 'c')",
      "cd('c')",
      "echo('x', 'f')",
      "cd('..')",
      "cd('a')",
    ]) {
      shell.execute(call);
    }
    assert.equal(shell.execute("cat('f')"), '{"file_content": "x"}');
    shell.execute("cd('b')");
    assert.equal(shell.execute("cd('..')"), '{}');
    assert.equal(shell.execute('pwd()'), '{"current_working_directory": "/w/a"}');
  });

  it('does not end up in a directory that holds itself', () => {
    const shell = tools('GorillaFileSystem');
    for (const call of ["mkdir('a')", "cp('a', 'a')"]) shell.execute(call);
    assert.match(shell.execute('du()'), /^Error during execution/);
    assert.match(shell.execute('find()'), /^Error during execution/);
  });

  it('draws Python’s random numbers', () => {
    const random = new PythonRandom(141053n);
    assert.deepEqual(
      [random.int(100000n, 999999n), random.int(100000000000n, 999999999999n), random.uniform(0, 120)],
      [251675n, 391310425148n, 44.51081620775468],
    );
    assert.equal(new PythonRandom(2n ** 70n).int(0n, 10n ** 20n), 72866367038241112836n);
  });

  it('writes JSON as Python does', () => {
    const value = Dict.of([
      [1n, [1.5, 2, null, true]],
      [2.5, new Tuple(['é\u007f😀"'])],
    ]);
    assert.equal(jsonDumps(value), '{"1": [1.5, 2.0, null, true], "2.5": ["\\u00e9\u007f\\ud83d\\ude00\\""]}');
    assert.equal(jsonDumps(Dict.of([[new Tuple([]), 1n]])), null);
  });

  it('names the field of a case that is wrong', async () => {
    const scorer = await openBfclMultiTurn({ has: () => false, text: () => null }, today);
    const failsAt = (line: string, field: string) =>
      assert.throws(
        () => scorer.score(line),
        (error: unknown) => error instanceof CaseError && error.field === field,
      );
    failsAt('{}', 'record');
    failsAt('{"record": {"involved_classes": ["X"]}}', 'record.involved_classes.0');
    failsAt(
      '{"record": {"involved_classes": [], "ground_truth": [["a()"]]}, "model_turns": [[["a()", 1]]]}',
      'model_turns.0.0.1',
    );
    const flat =
      '{"record": {"involved_classes": ["MathAPI"], "ground_truth": [["add(a=1, b=2)"]]}, "model_turns": [["add(a=1, b=2.0)", "add(1, 2)"]]}';
    assert.deepEqual(scorer.score(flat), { valid: true, error_type: null });
  });
});
