import assert from 'node:assert/strict';
import { apportion } from '../../../src/shared/apportion.ts';
import { domainsOf } from '../../../src/shared/experiment/tasks/domains.ts';
import { parseExperiment } from '../../../src/shared/experiment/parse.ts';
import type { Problem } from '../../../src/shared/experiment/problems/problem.ts';
import type { Experiment } from '../../../src/shared/experiment/schema.ts';
import { writtenForm } from '../../../src/shared/experiment/written.ts';
import { outOfRange } from '../../../src/shared/outOfRange.ts';

const server = (model: string) => ({ kind: 'openai', url: 'http://127.0.0.1:1/v1', model });

function text(domains: unknown, more: object = {}): string {
  const endpoints = { agent: server('a'), environment: server('b') };
  return JSON.stringify({ mode: 'random', endpoints, agent: { train: false }, domains, ...more }, null, 2);
}

function read(domains: unknown, more: object = {}): Experiment {
  const parsed = parseExperiment(text(domains, more), 'mine.genenv.json');
  assert.ok('experiment' in parsed, JSON.stringify(parsed));
  return parsed.experiment;
}

function problemsOf(domains: unknown, more: object = {}): Problem[] {
  const parsed = parseExperiment(text(domains, more), 'mine.genenv.json');
  return 'problems' in parsed ? parsed.problems : parsed.warnings;
}

const sums = { file: 'a/sums.domain.ts', share: 3 };
const store = { name: 'storekeeper', share: 1 };

describe('the largest remainder', () => {
  it('gives whole parts, and what is left to the largest fractions, the first of equals', () => {
    assert.deepEqual(apportion(10, [1, 1, 1]), [4, 3, 3]);
    assert.deepEqual(apportion(7, [3, 1]), [5, 2]);
    assert.deepEqual(apportion(4, [0.6, 0.25, 0.15]), [2, 1, 1]);
    assert.deepEqual(apportion(3, [1 / 3, 1 / 3, 1 / 3]), [1, 1, 1]);
    assert.deepEqual(apportion(0, [1, 2]), [0, 0]);
    assert.deepEqual(apportion(5, [0, 0]), [0, 0]);
  });

  it('never gives more or fewer than there are, nor one further than a quota', () => {
    for (let total = 0; total < 60; total++) {
      const weights = [0.13, 2.5, 0.4, 1, 0.97];
      const counts = apportion(total, weights);
      assert.equal(
        counts.reduce((sum, count) => sum + count, 0),
        total,
      );
      for (const [i, count] of counts.entries())
        assert.ok(Math.abs(count - (total * (weights[i] ?? outOfRange())) / 5) < 1);
    }
  });
});

describe('several domains in an experiment', () => {
  it('are named, with shares that sum to 1 and their part of the held-out tasks', () => {
    const experiment = read([sums, { ...store, baseTasks: 20 }], { validation: { tasks: 10 } });
    assert.deepEqual(
      domainsOf(experiment).map(({ name, share, field, validationTasks }) => [name, share, field, validationTasks]),
      [
        ['sums', 0.75, 'domains[0]', 8],
        ['storekeeper', 0.25, 'domains[1]', 2],
      ],
    );
    const [first, second] = domainsOf(experiment);
    const settings = { seeds: null, heldOut: null, taskSeed: 0 };
    assert.deepEqual(first?.settings, { name: 'file', file: 'a/sums.domain.ts', ...settings, baseTasks: 544 });
    assert.deepEqual(second?.settings, { name: 'storekeeper', file: null, ...settings, baseTasks: 20 });
  });

  it('are absent from an experiment of one, and written again as they were given', () => {
    assert.ok(!('domains' in read(undefined)));
    const experiment = read([sums, store]);
    const again = parseExperiment(JSON.stringify(writtenForm(experiment)), 'again.genenv.json');
    assert.ok('experiment' in again);
    assert.deepEqual(again.experiment, experiment);
  });

  for (const [what, domains, more, field, message] of [
    ['a share of 0', [{ ...sums, share: 0 }, store], {}, 'domains[0].share', /greater than 0/],
    ['a negative share', [sums, { ...store, share: -1 }], {}, 'domains[1].share', /greater than 0/],
    ['no share', [sums, { name: 'storekeeper' }], {}, 'domains[1].share', /is missing/],
    ['a share that is a text', [sums, { ...store, share: '1' }], {}, 'domains[1].share', /greater than 0/],
    ['neither name nor file', [sums, { share: 1 }], {}, 'domains[1].name', /is missing/],
    ['an unknown field', [sums, { ...store, weight: 1 }], {}, 'domains[1].weight', /Unknown field/],
    ['one domain alone', [sums], {}, 'domains', /list/],
    ['a domain twice', [sums, store, store], {}, 'domains[2].name', /both called “storekeeper”/],
    [
      'two files of one name',
      [sums, { file: 'b/sums.domain.py', share: 1 }],
      {},
      'domains[1].file',
      /both called “sums”/,
    ],
    [
      'one domain beside them',
      [sums, store],
      { domain: { name: 'storekeeper' } },
      'domain',
      /Both "domain" and "domains"/,
    ],
    [
      'a benchmark without seeds',
      [sums, { name: 'bfcl', share: 1 }],
      {},
      'domains[1].seeds',
      /domains\[1\]\.seeds names no file/,
    ],
    [
      'a name file without one',
      [{ name: 'file', share: 1 }, store],
      {},
      'domains[0].file',
      /domains\[0\]\.file names none/,
    ],
    [
      'too few families',
      [sums, { ...store, share: 0.1 }],
      { generation: { families: 4 } },
      'domains[1].share',
      /leaves the domain “storekeeper” no family/,
    ],
    [
      'an embedded agent',
      [sums, store],
      { endpoints: { environment: server('b') } },
      'endpoints.agent.kind',
      /sums\.domain\.ts/,
    ],
  ] as const) {
    it(`names the field of ${what}`, () => {
      const found = problemsOf(domains, more).find((problem) => problem.field === field);
      assert.ok(found !== undefined, JSON.stringify(problemsOf(domains, more)));
      assert.match(found.message, message);
      assert.equal(found.severity, 'error');
    });
  }

  it('stands at the line of its entry', () => {
    const [found] = problemsOf([sums, { ...store, share: 0 }]);
    const lines = text([sums, { ...store, share: 0 }]).split('\n');
    assert.match(lines[(found?.line ?? 0) - 1] ?? '', /"share": 0/);
  });

  it('says how many families give each domain one', () => {
    const [found] = problemsOf([sums, { ...store, share: 0.1 }], { generation: { families: 4 } });
    assert.equal(found?.remedy, 'Raise generation.families to 16, or its share.');
    assert.deepEqual(apportion(16, [3, 0.1]), [15, 1]);
    assert.deepEqual(apportion(15, [3, 0.1]), [15, 0]);
  });

  it('warns where a domain is not measured', () => {
    const found = problemsOf([sums, { ...store, share: 0.5 }], { validation: { tasks: 2 } });
    assert.deepEqual(
      found.map(({ field, severity }) => [field, severity]),
      [['domains[1].share', 'warning']],
    );
  });
});
