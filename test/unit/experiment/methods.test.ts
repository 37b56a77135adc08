/** Curricula by name: what they set, and what stands above them. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { contradictions } from '../../../src/shared/experiment/contradictions.ts';
import { limits } from '../../../src/shared/experiment/limits.ts';
import { isMethod, methodFields, methods } from '../../../src/shared/experiment/named/methods.ts';
import { parseExperiment } from '../../../src/shared/experiment/parse.ts';
import { presets } from '../../../src/shared/experiment/presets.ts';
import { at, resolveExperiment, startOf, type JsonObject } from '../../../src/shared/experiment/resolve.ts';
import type { Experiment } from '../../../src/shared/experiment/schema.ts';
import { writtenForm } from '../../../src/shared/experiment/written.ts';

const names = Object.keys(methods).filter(isMethod);

function parsed(file: JsonObject, ...overrides: string[]): Experiment {
  const text = JSON.stringify({ version: 1, name: 'a', preset: 'embedded', ...file });
  const result = parseExperiment(text, 'a.genenv.json', overrides);
  assert.ok('experiment' in result, JSON.stringify(result));
  return result.experiment;
}

describe('methods', () => {
  it('set on every preset what they say, and leave the rest', () => {
    for (const preset of ['default', 'paper', 'embedded'] as const) {
      for (const method of names) {
        const start = startOf({ preset, method });
        for (const field of methodFields) {
          const path = field.split('.');
          const said: unknown = Object.getOwnPropertyDescriptor(methods[method], field)?.value;
          assert.deepEqual(
            at(start, path),
            said === undefined ? at(presets[preset], path) : said,
            `${method} ${field}`,
          );
        }
        const { mode, method: own, curriculum, generation, rollouts, environment, agent, ...rest } = start;
        assert.equal(own, method);
        for (const [field, value] of Object.entries(rest)) assert.deepEqual(value, at(presets[preset], [field]), field);
        assert.deepEqual({ ...generation, editShare: 0 }, presets[preset].generation);
        assert.equal(curriculum.beta, presets[preset].curriculum.beta);
        assert.equal(rollouts.group, presets[preset].rollouts.group);
        assert.equal(environment.steps, presets[preset].environment.steps);
        assert.equal(agent.loss, presets[preset].agent.loss);
        assert.ok(mode.length > 0);
      }
    }
  });

  it('contradict nothing but for a file that offline needs', () => {
    for (const method of names) {
      const generation = method === 'offline' ? { offlineFile: 'tasks.jsonl' } : {};
      const found = contradictions(resolveExperiment({ name: 'a', preset: 'embedded', method, generation }), limits);
      assert.deepEqual(found, [], method);
    }
  });

  it('stand below what a file says itself', () => {
    const own = parsed({ method: 'r-zero', curriculum: { filter: 'soft', kMin: 0.2 } });
    assert.equal(own.curriculum.filter, 'soft');
    assert.equal(own.curriculum.reward.kind, 'uncertainty');
    assert.equal(own.environment.update, 'grpo');
  });

  it('stand above it where they are named for one run, and below what is named beside them', () => {
    const file = { method: 'sfl', mode: 'coevolve', curriculum: { alpha: 0.4, beta: 3 } };
    const over = parsed(file, 'curriculum.filter=soft', 'method=r-zero');
    const plain = parsed({ method: 'r-zero', curriculum: { beta: 3, filter: 'soft' } });
    assert.deepEqual(over, plain, 'whatever the file’s own method was');
    assert.deepEqual(parsed(file, 'method=genenv'), parsed({ curriculum: { beta: 3 } }));
  });

  it('are written by their name and what differs from it', () => {
    const experiment = parsed({ method: 'vcrl', rollouts: { poolShare: 0.25 } });
    const written = writtenForm(experiment);
    assert.deepEqual(written, {
      ...{ version: 1, name: 'a', preset: 'embedded', method: 'vcrl' },
      rollouts: { poolShare: 0.25 },
    });
    assert.deepEqual(resolveExperiment(written), experiment);
  });

  it('are refused by another name, with those that there are', () => {
    const text = JSON.stringify({ version: 1, name: 'a', method: 'rzero' });
    const result = parseExperiment(text, 'a.genenv.json');
    assert.ok('problems' in result);
    const [problem] = result.problems;
    assert.equal(problem?.field, 'method');
    assert.match(`${problem.message} ${problem.remedy}`, /r-zero/);
  });

  it('are documented with every setting', () => {
    const text = readFileSync(new URL('../../../docs/curricula.md', import.meta.url), 'utf8');
    const own = text.slice(text.indexOf('## Methods by name')).split('\n');
    for (const method of names) {
      const row = own.find((line) => line.startsWith(`| \`${method}\``)) ?? '';
      for (const [field, value] of Object.entries(methods[method])) {
        const short = `\`${field} ${String(value)}\``;
        assert.ok(row.includes(short), `${method}: ${short} in ${row}`);
      }
    }
  });
});
