import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { agentConversations, environmentConversations } from '../../../scripts/pretrain/conversations.ts';
import { isAboutHint, stepwiseSuccess, successRates, writeFamilies } from '../../../scripts/pretrain/measure.ts';
import { EmbeddedTrainer } from '../../../src/endpoints/embedded/model/trainer.ts';
import { readWeights } from '../../../src/endpoints/embedded/model/weights.ts';
import { parseBody } from '../../../src/benchmarks/storekeeper/body.ts';
import { renderCalls } from '../../../src/benchmarks/storekeeper/calls.ts';
import { StorekeeperDomain } from '../../../src/benchmarks/storekeeper/domain.ts';
import { execute } from '../../../src/benchmarks/storekeeper/execute.ts';
import { StorekeeperScorer } from '../../../src/benchmarks/storekeeper/scorer.ts';
import { vocabulary, words } from '../../../src/benchmarks/storekeeper/vocabulary.ts';
import type { Message } from '../../../src/shared/records/message.ts';
import { kernelBytes } from '../../support/embedded/kernels.ts';

const domain = new StorekeeperDomain();
const shipped = (name: string): Uint8Array =>
  readFileSync(new URL(`../../../src/endpoints/embedded/weights/${name}.bin`, import.meta.url));
const opened = (name: string): EmbeddedTrainer =>
  new EmbeddedTrainer(kernelBytes(), readWeights(shipped(name), `${name}.bin`));

function first(count: number, supply: Iterator<readonly Message[], never>): (readonly Message[])[] {
  return Array.from({ length: count }, () => supply.next().value);
}

describe('storekeeper: what the warm starts learn from', () => {
  it('agent: base tasks, renamed, with an answer that execution gives, some of them turn by turn', () => {
    const scorer = new StorekeeperScorer();
    let stepwise = 0;
    const examples = first(600, agentConversations(domain.seeds('base'), 1));
    for (const messages of examples) {
      const text = words(messages[1]?.content ?? '');
      const gold = renderCalls(execute(parseBody(text.slice(0, -1))));
      if (text.at(-1) === 'CALL') stepwise++;
      const task = { evaluation: { kind: 'storekeeper' }, gold };
      assert.equal(scorer.score(task, { messages: [...messages], stopReason: 'stop' }).success, true);
      assert.equal(messages.at(-1)?.role, 'assistant');
    }
    assert.ok(stepwise > examples.length / 10 && stepwise < examples.length / 3, String(stepwise));
  });

  it('environment: tasks that verify against their plan, short at first, then 1 … 12 steps', () => {
    const steps = first(600, environmentConversations(domain, 1, 600)).map((messages) => {
      const [plan, text] = messages.filter(({ role }) => role === 'assistant').map(({ content }) => content);
      const parsed = domain.parseTask(text ?? '', plan ?? '');
      assert.ok(parsed.ok);
      assert.deepEqual(domain.verify(parsed.draft), { ok: true });
      return parsed.draft.complexity['steps'] ?? 0;
    });
    assert.deepEqual(
      [...new Set(steps)].sort((a, b) => a - b),
      [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
    );
    const long = (some: readonly number[]): number => some.filter((k) => k > 4).length / some.length;
    assert.ok(long(steps.slice(0, 60)) < 0.4);
    assert.ok(long(steps.slice(300)) > 0.4);
  });
});

// Weights trained on another form of the language load without complaint and then write nothing that verifies.
describe('storekeeper: shipped warm starts', () => {
  it('speak the domain’s vocabulary and stay small', () => {
    for (const name of ['agent', 'environment']) {
      const bytes = shipped(name);
      const { vocabulary: known, end, moments } = readWeights(bytes, name);
      assert.deepEqual(known, vocabulary);
      assert.equal(end, '<end>');
      assert.equal(moments, null);
      assert.ok(bytes.length <= 400_000, String(bytes.length));
    }
  });

  it('agent: solves a good part of the base tasks, fewer of validation, and some turn by turn', () => {
    const agent = opened('agent');
    const solved = (split: 'base' | 'validation'): number => {
      const rates = successRates(agent, domain.seeds(split).slice(0, 200), 1, 0);
      return rates.reduce((sum, rate) => sum + rate, 0) / rates.length;
    };
    const [base, validation] = [solved('base'), solved('validation')];
    assert.ok(base >= 0.5 && base <= 0.85, String(base));
    assert.ok(validation >= 0.2 && validation < base, String(validation));
    const multiTurn = new StorekeeperDomain({ multiTurn: true });
    const stepwise = stepwiseSuccess(agent, multiTurn, multiTurn.seeds('validation').slice(0, 100));
    assert.ok(stepwise >= 0.1, String(stepwise));
  });

  it('environment: most of what it writes verifies, over many plans, about the items it was given', () => {
    const families = writeFamilies(opened('environment'), domain, { families: 64, variations: 2, recentSuccess: 0.3 });
    const outcomes = families.flatMap((family) => family.outcomes);
    const accepted = outcomes.filter((outcome) => outcome === 'accepted').length / outcomes.length;
    assert.ok(accepted >= 0.7, String(accepted));
    const about = families.flatMap((family) => family.tasks.map((task) => isAboutHint(family, task)));
    assert.ok(about.filter(Boolean).length >= 0.9 * about.length);
    assert.ok(new Set(families.map(({ plan }) => plan)).size >= 32);
  });
});
