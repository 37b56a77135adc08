import assert from 'node:assert/strict';
import fc from 'fast-check';
import { overrideExperiment, parseExperiment } from '../../../src/shared/experiment/parse.ts';
import { branchedExperiment } from '../../../src/shared/experiment/branched.ts';
import { withChanges } from '../../../src/shared/experiment/changeable.ts';
import { withoutRetired } from '../../../src/shared/experiment/retired.ts';
import { presets } from '../../../src/shared/experiment/presets.ts';
import { isError, type Problem } from '../../../src/shared/experiment/problems/problem.ts';

const problems = (text: string, overrides: readonly string[] = []): Problem[] => {
  const parsed = parseExperiment(text, 'a.genenv.json', overrides);
  return 'problems' in parsed ? parsed.problems : parsed.warnings;
};
/** `line:column field severity message remedy`, as a person meets them. */
const said = (text: string, overrides: readonly string[] = []): string[] =>
  problems(text, overrides).map(
    ({ line, column, field, message, remedy }) => `${line}:${column} ${field} | ${message}${remedy && ` ${remedy}`}`,
  );

describe('an experiment file', () => {
  it('is its preset with what it says on top, comments and trailing commas and all', () => {
    const text = `{
      // the small models
      "$schema": "../media/schemas/genenv.schema.json",
      "preset": "embedded", /* k_min as in the paper */
      "curriculum": { "kMin": 0.1, },
    }`;
    const parsed = parseExperiment(text, 'a.genenv.json');
    assert.ok('experiment' in parsed);
    const curriculum = { ...presets.embedded.curriculum, kMin: 0.1 };
    assert.deepEqual([parsed.experiment, parsed.warnings], [{ ...presets.embedded, curriculum }, []]);
    assert.ok('experiment' in parseExperiment(`\uFEFF{ "preset": "embedded" }\r\n`, 'a.genenv.json'));
  });

  it('says why a field is one no longer, and what a run of before it knew is read without it', () => {
    assert.deepEqual(said('{ "preset": "embedded",\n  "rollouts": { "maxStaleness": 4 } }'), [
      '2:17 rollouts.maxStaleness | "rollouts.maxStaleness" is no longer a setting: it never had an effect: every ' +
        'attempt is by the agent that learns from it. Remove it.',
    ]);
    const { embedded } = presets;
    const before = { ...embedded, rollouts: { ...embedded.rollouts, maxStaleness: 4 } };
    assert.deepEqual(withoutRetired(before), { ...embedded });
    assert.deepEqual(withoutRetired({ rollouts: 3 }), { rollouts: 3 });
    const changes = [
      { field: 'rollouts.maxStaleness', to: 9 },
      { field: 'rollouts.group', to: 5 },
    ];
    assert.equal(withChanges(embedded, changes)?.rollouts.group, 5);
  });

  it('reports every problem at once, each at its own place', () => {
    const text = `{
  "preset": "embeded",
  "curriculum": {
    "alpha": 1.5,
    "bet": 3,
    "kMin": "0.1",
    "scope": "famly"
  },
  "seed": 1.5,
  "endpoints": { "agent": { "kind": "quantum" }, "environment": 3 },
  "earlyStop": { "patience": 0 },
  "rollouts": null,
  "kMin": 0.2,
  "name": ""
}`;
    assert.deepEqual(said(text), [
      '2:13 preset | preset is "embeded", but must be one of "default", "paper", "embedded". Did you mean "embedded"?',
      '4:14 curriculum.alpha | α (curriculum.alpha) is 1.5, but must be a number greater than 0 and less than 1. ' +
        'Leave it out to use 0.5 (preset "default").',
      '5:5 curriculum.bet | Unknown field "bet" in "curriculum". Did you mean "beta"?',
      '6:13 curriculum.kMin | k_min (curriculum.kMin) is "0.1", but must be a number from 0 to 1. ' +
        'Write 0.1 without quotes.',
      '7:14 curriculum.scope | curriculum.scope is "famly", but must be one of "epoch", "family", "task". ' +
        'Did you mean "family"?',
      '9:11 seed | seed is 1.5, but must be a whole number from 0 to 2147483647. ' +
        'Leave it out to use 1 (preset "default").',
      '10:37 endpoints.agent.kind | endpoints.agent.kind is "quantum", but must be one of "embedded", "tinker", "openai", "verl". ' +
        'Leave it out to use "embedded" (preset "default").',
      '10:65 endpoints.environment | endpoints.environment is 3, but must be an object.',
      '11:3 earlyStop.minImprovement | earlyStop.minImprovement is missing; it must be a number from 0 to 1.',
      '11:30 earlyStop.patience | earlyStop.patience is 0, but must be a whole number at least 1.',
      '12:15 rollouts | rollouts is null, but must be an object.',
      '13:3 kMin | Unknown field "kMin". It belongs in "curriculum".',
      '14:11 name | name is "", but must be a text that is not empty. Leave it out to use "experiment" (preset "default").',
    ]);
  });

  it('says what a field must be in the chosen kind alone, and its sentences end once', () => {
    const agent = (endpoint: object): string[] =>
      problems(JSON.stringify({ preset: 'embedded', endpoints: { agent: endpoint } })).map(({ message }) => message);
    assert.deepEqual(agent({ kind: 'tinker', url: 'h://x' }), [
      'endpoints.agent.url is "h://x", but must be an address that begins with http:// or https://.',
    ]);
    assert.deepEqual(agent({ kind: 'openai', url: 5 }), [
      'endpoints.agent.url is 5, but must be Base address, usually ending in /v1; several with blanks between them are replicas.',
    ]);
    assert.deepEqual(agent({ kind: 'verl', url: 'x' }), [
      'endpoints.agent.url is "x", but must be Where jobs are submitted: a Ray dashboard (http://…), ssh://user@host, or local: for this machine.',
    ]);
    assert.match(agent({ kind: 'opnai', url: 5 }).join(), /must be one of "embedded", "tinker", "openai", "verl"\.$/);
  });

  it('says where malformed JSON breaks and what was expected', () => {
    assert.deepEqual(said('{\n  "preset": "embedded"\n  "epochs": 3\n}'), [
      '2:23  | Malformed JSON: a "," was expected, but there is "epochs".',
    ]);
    assert.deepEqual(said(`{\n  "mode": 'random'\n}`), [
      `2:11  | Malformed JSON: 'random' is not a JSON value: write a text in double quotes, a number, true, false or ` +
        'null. JSON has no single quotes: write double ones.',
    ]);
    assert.deepEqual(said('{\n  "curriculum": {\n    "alpha": 0.5\n'), [
      '3:17  | Malformed JSON: a "}" was expected, but there is the end of the file. Close the "{" that is opened in line 2.',
    ]);
    assert.deepEqual(said('{ "epochs" 3 }'), [
      '1:11  | Malformed JSON: a ":" was expected after the field name, but there is 3.',
    ]);
    assert.deepEqual(said('{ "epochs": }'), ['1:12  | Malformed JSON: a value was expected, but there is }.']);
    assert.deepEqual(said('{ "name": "abc\n}'), ['1:11  | Malformed JSON: "abc has no closing double quote.']);
    assert.match(said('{ "name": "a\\qb" }')[0] ?? '', /backslash escape/);
    assert.match(said('')[0] ?? '', /1:1 {2}\| The file is empty\. Write a JSON object/);
    assert.match(said('[]')[0] ?? '', /An experiment is a JSON object/);
  });

  it('says of a comment that is never closed that it is, and comes to an end', () => {
    for (const text of ['/*', '{ /*', '{ "version": 1 } /*']) {
      const parsed = parseExperiment(text, 'x.genenv.json');
      assert.ok('problems' in parsed);
      assert.match(parsed.problems[0]?.message ?? '', /opens a comment that is never closed/);
    }
  });

  it('refuses a field given twice', () => {
    assert.deepEqual(said('{\n  "curriculum": {\n    "alpha": 0.4,\n    "alpha": 0.6\n  }\n}'), [
      '4:5 curriculum.alpha | The field "curriculum.alpha" is given twice. Keep one of the two; the other is in line 3.',
    ]);
  });

  it('never throws and never loses a problem, whatever the text', () => {
    const value = fc.oneof(fc.string(), fc.double(), fc.boolean(), fc.constant(null), fc.json());
    const field = fc.constantFrom(
      'alpha',
      'epochs',
      'curriculum',
      'mode',
      'endpoints',
      '__proto__',
      'constructor',
      'x',
    );
    const file = fc.dictionary(field, fc.oneof(value, fc.dictionary(field, value))).map((one) => JSON.stringify(one));
    fc.assert(
      fc.property(fc.oneof(fc.string(), file), (text) => {
        const parsed = parseExperiment(text, 'a.genenv.json');
        if ('experiment' in parsed) return;
        assert.ok(parsed.problems.some(({ severity }) => severity === 'error'));
        const lines = text.split('\n');
        for (const { line, column } of parsed.problems) {
          assert.ok(line >= 1 && line <= Math.max(1, lines.length), `${line} in ${JSON.stringify(text)}`);
          assert.ok(column >= 1 && column <= (lines[line - 1] ?? '').length + 1, `${line}:${column}`);
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('overrides', () => {
  it('lie on top of the file, typed as their field wants them', () => {
    const parsed = parseExperiment('{ "preset": "embedded", "curriculum": { "alpha": 0.4 } }', 'a.genenv.json', [
      'curriculum.alpha=0.6',
      'name=12',
      'agent.train=false',
      'earlyStop={"patience": 3, "minImprovement": 0.01}',
      'earlyStop.patience=4',
      'generation.offlineFile=null',
    ]);
    assert.ok('experiment' in parsed);
    assert.deepEqual(parsed.experiment, {
      ...presets.embedded,
      name: '12',
      curriculum: { ...presets.embedded.curriculum, alpha: 0.6 },
      agent: { ...presets.embedded.agent, train: false },
      earlyStop: { patience: 4, minImprovement: 0.01 },
    });
  });

  it('can choose the preset', () => {
    const parsed = parseExperiment('{}', 'a.genenv.json', ['preset=embedded']);
    assert.ok('experiment' in parsed);
    assert.deepEqual(parsed.experiment, presets.embedded);
  });

  it('are named where they are wrong', () => {
    const wrong = problems('{ "preset": "embedded" }', ['curriculum.alpha=2', 'curriculum.kmin=3', 'bogus', 'seed=x']);
    assert.deepEqual(
      wrong.map(({ file, field }) => [file, field]),
      [['--set bogus', '']],
    );
    const typed = problems('{ "preset": "embedded" }', ['curriculum.alpha=2', 'curriculum.kmin=3', 'seed=x']);
    assert.deepEqual(
      typed.map(({ file, field, remedy }) => [file, field, remedy]),
      [
        ['--set curriculum.alpha=2', 'curriculum.alpha', 'Leave it out to use 0.5 (preset "embedded").'],
        ['--set curriculum.kmin=3', 'curriculum.kmin', 'Did you mean "kMin"?'],
        ['--set seed=x', 'seed', 'Leave it out to use 1 (preset "embedded").'],
      ],
    );
  });

  it('are texts as a form writes them, with quotes, backslashes and lines', () => {
    const valueOf = (set: string): unknown => {
      const parsed = parseExperiment('{ "preset": "embedded" }', 'a.genenv.json', [set]);
      assert.ok('experiment' in parsed);
      return parsed.experiment.name;
    };
    for (const text of ['say "hi"', '..\\rewards\\mine.reward.ts', 'C:\\new\\a', 'two\nlines', 'ä"', '"', 'plain'])
      assert.equal(valueOf(`name=${JSON.stringify(text)}`), text);
    for (const text of ['say "hi"', 'C:\\work', '"', '"a" and "b"', '"C:\\work"'])
      assert.equal(valueOf(`name=${text}`), text);
  });

  it('are refused where they name no setting of ours, but something that every object has', () => {
    for (const set of [
      '__proto__.x=1',
      'curriculum.__proto__.y=1',
      'constructor.x=1',
      'toString=1',
      'curriculum.valueOf=1',
    ]) {
      const [wrong, ...more] = problems('{ "preset": "embedded" }', [set]);
      assert.deepEqual([wrong?.file, more], [`--set ${set}`, []]);
      assert.doesNotMatch(wrong?.message ?? '', /\[object/);
    }
  });

  it('are reported without a key that was typed into them', () => {
    const server = { kind: 'tinker', url: 'http://127.0.0.1:9', model: 'm' };
    for (const set of [
      'endpoints.agent.key=sk-1234567890',
      'generation.embeddingKey=sk-1234567890',
      `endpoints.agent=${JSON.stringify({ ...server, key: 'sk-1234567890' })}`,
      `endpoints=${JSON.stringify({ agent: { ...server, kexy: 'sk-1234567890' } })}`,
      'generation.embeddingUrl=http://me:sk-1234567890@127.0.0.1/',
    ]) {
      const wrong = problems('{ "preset": "embedded" }', [set]);
      assert.ok(wrong.length > 0, set);
      assert.doesNotMatch(JSON.stringify(wrong), /sk-1234567890/, set);
      assert.match(wrong[0]?.file ?? '', /^--set (?:endpoints|generation)[.\w]*=…$/);
    }
    const branched = branchedExperiment(presets.embedded, ['endpoints.agent.key=sk-1234567890'], 1);
    assert.doesNotMatch(JSON.stringify(branched), /sk-1234567890/);
  });

  it('are the place of what they decide, and of nothing else', () => {
    const text = JSON.stringify({
      ...{ preset: 'embedded', endpoints: { agent: { weights: 'a.bin' } }, domain: { seeds: 'a.jsonl' } },
      curriculum: { kMin: 0.1 },
    });
    const placed = (set: string[], field: string): string => {
      const parsed = parseExperiment(text, 'a.genenv.json', set);
      assert.ok('experiment' in parsed);
      const { file, column } = parsed.placeOfField(field);
      return file === 'a.genenv.json' ? (text.slice(column - 1).split(':')[0] ?? '') : file;
    };
    const seeds = 'domain.seeds=b.jsonl';
    assert.equal(placed([seeds], 'domain.seeds'), `--set ${seeds}`);
    assert.equal(placed([seeds], 'domain.heldOut'), '"domain"');
    const domain = 'domain={"seeds":"b.jsonl"}';
    assert.equal(placed([domain], 'domain.seeds'), `--set ${domain}`);
    const seed = 'endpoints={"agent":{"pricePerHour":1}}';
    assert.equal(placed([], 'endpoints.agent.weights'), '"weights"');
    assert.equal(placed([seed], 'endpoints.agent.weights'), '"weights"', 'objects are merged');
    const method = 'method=vcrl';
    assert.equal(placed([method], 'curriculum.kMin'), `--set ${method}`);
    assert.equal(placed([method, 'curriculum.kMin=0.2'], 'curriculum.kMin'), '--set curriculum.kMin=0.2');
    assert.equal(placed([method], 'domain.seeds'), '"seeds"');
  });

  it('change a resolved experiment as they change a file', () => {
    const parsed = overrideExperiment(presets.embedded, ['curriculum.beta=20']);
    assert.ok('experiment' in parsed);
    assert.deepEqual(parsed.experiment.curriculum, { ...presets.embedded.curriculum, beta: 20 });
    const wrong = overrideExperiment(presets.embedded, ['curriculum.kMin=0.6']);
    assert.ok('problems' in wrong);
    assert.equal(wrong.problems[0]?.file, '--set curriculum.kMin=0.6');
  });

  it('change a run of an earlier version whose jobs have overrides that are refused now', () => {
    const parsed = parseExperiment('{"endpoints": {"agent": {"kind": "verl"}}}', 'a.genenv.json');
    assert.ok('experiment' in parsed && parsed.experiment.endpoints.agent.kind === 'verl');
    const { experiment: now } = parsed;
    const agent = { ...parsed.experiment.endpoints.agent, overrides: 'trainer.nnodes=1' };
    const run = { ...now, endpoints: { ...now.endpoints, agent } };
    const refused = (...changes: string[]): string[] => {
      const changed = overrideExperiment(run, changes);
      return 'problems' in changed ? changed.problems.filter(isError).map(({ field }) => field) : [];
    };
    assert.deepEqual(refused('curriculum.alpha=0.4'), []);
    assert.deepEqual(refused('endpoints.agent.overrides=trainer.nnodes=2'), ['endpoints.agent.overrides']);
    assert.deepEqual(refused('endpoints.agent.nodes=1'), ['endpoints.agent.overrides']);
    assert.deepEqual(refused('endpoints.agent={"nodes":1}'), ['endpoints.agent.overrides']);
    assert.deepEqual(refused('endpoints.agent.overrides='), []);
  });
});
