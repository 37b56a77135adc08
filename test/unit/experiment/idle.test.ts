/** Settings that someone gave and that have no effect beside the others. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { planStudy } from '../../../src/features/study/core/plan.ts';
import { readStudy } from '../../../src/features/study/core/readStudy.ts';
import { methods } from '../../../src/shared/experiment/named/methods.ts';
import { overrideExperiment, parseExperiment, type Parsed } from '../../../src/shared/experiment/parse.ts';
import { isError, type Problem } from '../../../src/shared/experiment/problems/problem.ts';
import { presets } from '../../../src/shared/experiment/presets.ts';

const file = 'a.genenv.json';
const isIdle = ({ message }: Problem): boolean => message.includes('has no effect in this experiment.');
const idle = (parsed: Parsed): Problem[] => {
  const all = 'problems' in parsed ? parsed.problems : parsed.warnings;
  assert.ok(!all.filter(isIdle).some(isError), 'a warning stops no run');
  return all.filter(isIdle);
};
const fieldsOf = (settings: object, ...overrides: string[]): string[] =>
  idle(parseExperiment(JSON.stringify({ preset: 'embedded', ...settings }), file, overrides)).map(({ field }) => field);

describe('a setting without effect', () => {
  it('is reported at its line, with the reason', () => {
    const text = '{\n  "preset": "embedded",\n  "rollouts": {\n    "late": 0.25\n  }\n}';
    const [late, ...others] = idle(parseExperiment(text, file));
    assert.deepEqual([late?.file, late?.line, late?.column, late?.severity], [file, 4, 5, 'warning']);
    assert.match(
      late?.message ?? '',
      /^rollouts\.late has no effect in this experiment\. With rollouts\.staleness = 0 /,
    );
    assert.deepEqual(others, []);
  });

  it('is any that the form dims, but for those that are recorded, shown or exported all the same', () => {
    const environment = {
      update: 'rejection',
      learningRate: 1e-3,
      keepBest: 0.5,
      tokenWeights: 'instance',
      adam: { beta1: 0.5 },
    };
    assert.deepEqual(fieldsOf({ mode: 'random', environment }), ['environment.learningRate', 'environment.adam.beta1']);
    const curriculum = { lambda: 1, beta: 3, kMin: 0.3, filter: 'soft' };
    assert.deepEqual(fieldsOf({ mode: 'random', curriculum }), []);
    assert.deepEqual(fieldsOf({ agent: { train: false, minibatch: 8, advantageNorm: 'none' } }), ['agent.minibatch']);
    const validation = { every: 0, tasks: 20, rollouts: 2 };
    assert.deepEqual(fieldsOf({ validation }), ['validation.rollouts']);
    assert.deepEqual(fieldsOf({ environment: { keepBest: 0.5 } }), ['environment.keepBest']);
    assert.deepEqual(fieldsOf({ curriculum: { reward: { file: 'mine.curriculum.ts' } } }), ['curriculum.reward.file']);
    const anchors = 'any';
    const off = { baseShare: 0, totalKlCap: null };
    assert.deepEqual(fieldsOf({ environment: { ...off, anchors } }), ['environment.anchors']);
    assert.deepEqual(fieldsOf({ environment: { ...off, baseShare: 0.5, anchors } }), []);
    assert.deepEqual(fieldsOf({ generation: { rankRollouts: 2 }, reward: { seconds: 3 } }), [
      'generation.rankRollouts',
      'reward.seconds',
    ]);
  });

  it('is none where it is the default', () => {
    assert.deepEqual(
      fieldsOf({ rollouts: { late: 0 }, environment: { keepBest: presets.embedded.environment.keepBest } }),
      [],
    );
    assert.deepEqual(fieldsOf({ mode: 'random', environment: presets.embedded.environment }), []);
  });

  it('is none where it asks for nothing, and gets it', () => {
    const environment = { klCoefficient: 0, totalKlCap: null };
    assert.deepEqual(fieldsOf({ mode: 'random', environment }), []);
  });

  it('is reported once, by the check with its own message', () => {
    const parsed = parseExperiment('{ "preset": "embedded", "evaluation": { "adapter": "gsm8k" } }', file);
    assert.ok('experiment' in parsed);
    assert.deepEqual(
      parsed.warnings.map(({ field }) => field),
      ['evaluation.adapter'],
    );
    assert.ok(!parsed.warnings.some(isIdle));
    const stop = { validation: { every: 0 }, earlyStop: { patience: 2, minImprovement: 0 } };
    assert.deepEqual(fieldsOf(stop), []);
  });

  it('is reported at --set if --set gives it, and not at a file whose other values need it', () => {
    const settings = { environment: { learningRate: 1e-3 } };
    assert.deepEqual(fieldsOf(settings), []);
    assert.deepEqual(fieldsOf(settings, 'mode=random'), []);
    assert.deepEqual(fieldsOf({ ...settings, mode: 'random' }, 'seed=3'), ['environment.learningRate']);
    assert.deepEqual(fieldsOf({ ...settings, mode: 'random' }, 'mode=coevolve'), []);
    const [late] = idle(parseExperiment('{ "preset": "embedded" }', file, ['rollouts.late=0.2']));
    assert.equal(late?.file, '--set rollouts.late=0.2');
  });

  it('is not any of a run’s own, which has them all', () => {
    const random = { ...presets.embedded, mode: 'random', environment: { ...presets.embedded.environment, steps: 9 } };
    assert.deepEqual(idle(overrideExperiment({ ...random, mode: 'random' }, ['seed=3'])), []);
    const changed = idle(overrideExperiment({ ...random, mode: 'random' }, ['environment.steps=2']));
    assert.deepEqual(
      changed.map(({ field }) => field),
      ['environment.steps'],
    );
  });

  it('is in no preset, no method, no study and no example that is shipped', () => {
    for (const preset of Object.keys(presets))
      for (const method of Object.keys(methods))
        assert.deepEqual(fieldsOf({ preset, method }), [], `${preset} ${method}`);
    const root = join(import.meta.dirname, '../../..');
    const files = globSync('{demo,docs,media}/**/*.genenv.json', { cwd: root });
    assert.ok(files.length >= 3);
    for (const one of files) assert.deepEqual(idle(parseExperiment(readFileSync(join(root, one), 'utf8'), one)), []);
    const studies = globSync('{demo,docs,media}/**/*.study.json', { cwd: root });
    assert.ok(studies.length >= 2);
    for (const one of studies) {
      const reading = readStudy(readFileSync(join(root, one), 'utf8'), one);
      assert.ok('study' in reading);
      const base = join(root, dirname(one), reading.study.base);
      const text = readFileSync(base, 'utf8');
      const planned = planStudy(reading.study, { text, file: basename(base) }, reading.places);
      assert.ok('plan' in planned);
      assert.deepEqual(planned.plan.warnings.filter(isIdle), [], one);
    }
  });
});
