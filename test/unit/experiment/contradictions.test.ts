import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { readHeader } from '../../../src/endpoints/embedded/model/weights.ts';
import { maxBaseTasks, maxValidationTasks } from '../../../src/benchmarks/storekeeper/seeds.ts';
import { inBand } from '../../../src/engine/math/curriculum.ts';
import { estimateOf } from '../../../src/engine/math/successRate.ts';
import { contradictions } from '../../../src/shared/experiment/contradictions.ts';
import { admitted, attemptsInScope } from '../../../src/shared/experiment/contradictions/band.ts';
import { limits } from '../../../src/shared/experiment/limits.ts';
import { parseExperiment } from '../../../src/shared/experiment/parse.ts';
import { presets } from '../../../src/shared/experiment/presets.ts';
import { resolveExperiment, type JsonObject } from '../../../src/shared/experiment/resolve.ts';

const found = (over: JsonObject): string[] =>
  contradictions(resolveExperiment({ preset: 'embedded', ...over }), limits).map(
    ({ severity, fields, message }) => `${severity} ${fields[0] ?? ''}: ${message}`,
  );
/** Exactly one contradiction, which says this. */
const only = (over: JsonObject, severity: string, field: string, message: RegExp): void => {
  const all = found(over);
  assert.equal(all.length, 1, all.join('\n'));
  assert.ok(all[0]?.startsWith(`${severity} ${field}: `), all[0]);
  assert.match(all[0] ?? '', message);
};

describe('contradictions', () => {
  it('are samples of another distribution than is learned, but for a trainer that tempers too', () => {
    only({ rollouts: { temperature: 0.7 } }, 'warning', 'rollouts.temperature', /0\.7: the agent samples from another/);
    only({ generation: { temperature: 1.3 } }, 'warning', 'generation.temperature', /the environment samples/);
    assert.deepEqual(found({ mode: 'random', generation: { temperature: 1.3 } }), []);
    assert.deepEqual(found({ agent: { train: false }, rollouts: { temperature: 0.7 } }), []);
    const verl = { agent: { kind: 'verl' } };
    assert.ok(!found({ endpoints: verl, rollouts: { temperature: 0.7 } }).some((one) => one.includes('temperature')));
  });

  it('are courses of α out of order, beyond the run, or with an empty band', () => {
    const course = (...alphaPoints: { epoch: number; alpha: number }[]) => ({ curriculum: { alphaPoints } });
    const [early, late] = [
      { epoch: 2, alpha: 0.4 },
      { epoch: 9, alpha: 0.6 },
    ];
    assert.deepEqual(found(course(early, late)), []);
    only(course(late, early), 'error', 'curriculum.alphaPoints', /its point at epoch 2 follows/);
    only({ epochs: 8, ...course(early, late) }, 'warning', 'curriculum.alphaPoints', /epoch 9, and the run has 8/);
    const narrow = { curriculum: { scope: 'task', kMin: 0.02, alphaPoints: [{ epoch: 3, alpha: 0.55 }] } };
    const empty = found(narrow).filter((one) => one.startsWith('error'));
    assert.match(empty.join(), /^error curriculum.alphaPoints: No p̂ can lie in the band 0.53–0.57/);
  });

  it('are controllers of α that cannot see, or that others move', () => {
    const controlled = (control: object, curriculum: object = {}) => ({
      curriculum: { ...curriculum, control: { kind: 'success', every: 2, ...control } },
    });
    assert.deepEqual(found(controlled({})), []);
    const course = { alphaPoints: [{ epoch: 2, alpha: 0.4 }] };
    only(controlled({}, course), 'error', 'curriculum.control.kind', /a course and a controller/);
    only(controlled({ low: 0.6 }), 'error', 'curriculum.control.low', /between 0.6 and 0.8, and starts it at 0.5/);
    only(controlled({ step: 0.5, low: 0.4 }), 'error', 'curriculum.control.step', /0.5 is wider than .* 0.4 to 0.8/);
    const gain = controlled({ kind: 'gain' });
    const on = 'curriculum.control.every';
    only({ ...gain, validation: { every: 3 } }, 'error', on, /end of each 2 epochs; validation.every is 3/);
    only({ ...gain, validation: { every: 0 } }, 'error', on, /validation.every is 0/);
    assert.deepEqual(found({ ...gain, validation: { every: 1 } }), []);
    only({ epochs: 4, ...controlled({ every: 4 }) }, 'warning', on, /ends with epoch 4/);
    assert.deepEqual(found({ epochs: 5, ...controlled({ every: 4 }) }), []);
    only({ epochs: 4, ...controlled({ kind: 'learnability' }) }, 'warning', on, /windows of 2 epochs/);
    only({ ...controlled({}), rollouts: { staleness: 1 } }, 'error', 'curriculum.control.kind', /sampled early/);
    const empty = found(controlled({ low: 0.45 }, { scope: 'task', kMin: 0.02 })).filter((one) =>
      one.startsWith('error'),
    );
    assert.match(empty.join(), /^error curriculum.control.(low|high): No p̂ can lie in the band/);
  });

  it('are samplers with nothing to draw', () => {
    const plr = { sampler: { kind: 'plr' } };
    assert.deepEqual(found({ rollouts: plr }), []);
    const bare = { rollouts: { ...plr, baseShare: 0, poolShare: 0 } };
    only(bare, 'warning', 'rollouts.poolShare', /“plr” draws given tasks, but the batch has none/);
    assert.deepEqual(found({ rollouts: { baseShare: 0, poolShare: 0 } }), []);
    const edits = { generation: { editShare: 0.5 } };
    only(edits, 'error', 'generation.editShare', /sampler “uniform” keeps none/);
    assert.deepEqual(found({ ...edits, rollouts: { ...plr, baseShare: 0, poolShare: 0 } }), []);
    only({ mode: 'release', rollouts: plr }, 'error', 'rollouts.sampler.kind', /by chance alone/);
    const all = { mode: 'static', generation: { families: 8, staticFamilies: 8 } };
    only({ ...all, rollouts: plr }, 'warning', 'generation.families', /takes all 8 families/);
    assert.deepEqual(found({ ...all, generation: { families: 7, staticFamilies: 8 }, rollouts: plr }), []);
  });

  it('are comparisons of texts that have nothing beside them', () => {
    const grpo = (more: JsonObject = {}, curriculum: JsonObject = {}): JsonObject => ({
      environment: { update: 'grpo' },
      curriculum: { filter: 'off', scope: 'task', ...curriculum },
      ...more,
    });
    assert.deepEqual(found(grpo()), []);
    only(grpo({ generation: { variations: 1 } }), 'error', 'generation.variations', /each has one text/);
    assert.deepEqual(found(grpo({ generation: { variations: 1, perSeed: 2 } })), []);
    only(
      grpo({}, { scope: 'family' }),
      'error',
      'curriculum.scope',
      /"family" all texts of one context share one R_env/,
    );
    assert.deepEqual(found(grpo({ generation: { perSeed: 2 } }, { scope: 'family' })), []);
    only(grpo({ generation: { perSeed: 2 } }, { scope: 'epoch' }), 'error', 'curriculum.scope', /"epoch" all texts/);
    only(grpo({}, { filter: 'soft' }), 'warning', 'curriculum.filter', /leaves out what lies outside the band/);
    const jobs = grpo({ endpoints: { environment: { kind: 'verl' } } });
    assert.ok(found(jobs).some((one) => /^error environment\.update: .* it has no advantages/.test(one)));
    const none = { environment: { update: 'none' } };
    only(none, 'warning', 'environment.update', /the run is one of mode "random"/);
    const openai = { environment: { kind: 'openai', url: 'http://127.0.0.1:1', model: 'm' } };
    assert.ok(!found({ ...none, endpoints: openai }).some((one) => one.includes('only samples')));
  });

  it('are bounds of prompt and answer where nobody counts the prompt', () => {
    const openai = { environment: { kind: 'openai' } };
    const bounded = { mode: 'random', endpoints: openai, generation: { maxSequence: 900, maxTokens: 100 } };
    only(bounded, 'warning', 'generation.maxSequence', /nothing here counts/);
    const counted = { environment: { kind: 'openai', tokenizer: './qwen' } };
    assert.deepEqual(found({ ...bounded, endpoints: counted }), []);
    assert.deepEqual(found({ rollouts: { maxSequence: 60 } }), []);
  });

  it('are rounds that are smaller than a minibatch', () => {
    only({ rollouts: { batch: 3 } }, 'warning', 'agent.minibatch', /A round has 24 attempts, fewer than .* 32/);
    assert.deepEqual(found({ rollouts: { batch: 4 } }), []);
    const tasks = { minibatch: 8, minibatchUnit: 'task' };
    only({ agent: tasks, rollouts: { batch: 7 } }, 'warning', 'agent.minibatch', /A round has 7 tasks/);
    assert.deepEqual(found({ agent: tasks, rollouts: { batch: 8 } }), []);
  });

  it('are absent from the presets but for the context of the small models', () => {
    assert.deepEqual(found({}), []);
    for (const preset of ['default', 'paper'] as const) {
      assert.deepEqual(
        contradictions(presets[preset], limits).map(({ fields, severity }) => [fields[0], severity]),
        [
          ['rollouts.maxTokens', 'warning'],
          ['generation.maxTokens', 'warning'],
        ],
      );
      assert.deepEqual(contradictions(presets[preset], { ...limits, context: () => null }), []);
    }
  });

  it('domains that are benchmarks', () => {
    const server = { kind: 'openai', url: 'http://localhost:8000/v1', model: 'm' };
    const endpoints = { agent: server, environment: server };
    const domain = { name: 'bfcl', seeds: 'seeds.jsonl', heldOut: 'heldOut.jsonl' };
    const whole = { preset: 'default', mode: 'random', agent: { train: false }, endpoints, domain };
    assert.deepEqual(found(whole), []);
    only({ ...whole, domain: { ...domain, seeds: null } }, 'error', 'domain.seeds', /names no file of them/);
    only({ ...whole, domain: { ...domain, heldOut: null } }, 'warning', 'domain.heldOut', /Nothing is held out/);
    const embedded = { ...endpoints, environment: { kind: 'embedded', weights: 'environment' } };
    const wordless = found({ ...whole, endpoints: embedded, generation: { maxTokens: 100 } });
    assert.equal(wordless.length, 1);
    assert.match(wordless[0] ?? '', /^error endpoints\.environment\.kind: .*cannot write tasks of bfcl/);
    only({ ...whole, domain: { ...domain, name: 'alfworld' } }, 'error', 'rollouts.maxTurns', /won by one command/);
    assert.deepEqual(found({ ...whole, domain: { ...domain, name: 'alfworld' }, rollouts: { maxTurns: 50 } }), []);
    const bamboogle = { ...whole, domain: { ...domain, name: 'bamboogle' } };
    assert.deepEqual(found(bamboogle), []);
    const unchecked = { ...bamboogle, generation: { agreementAnswers: 0 } };
    only(unchecked, 'warning', 'generation.agreementAnswers', /Nothing checks that the gold/);
    only({ domain: { heldOut: 'mine.jsonl' } }, 'warning', 'domain.heldOut', /does not read it/);
    const own = { seeds: 'mine.jsonl', heldOut: 'held.jsonl' };
    const offline = { ...whole, mode: 'offline', generation: { offlineFile: 'mine.jsonl' } };
    assert.deepEqual(found({ ...offline, domain: own }), []);
    for (const one of [{ seeds: 'mine.jsonl' }, { ...domain, heldOut: null }]) {
      const unmeasured = { ...offline, domain: one };
      only(unmeasured, 'warning', 'domain.heldOut', /the run is never validated/);
      assert.deepEqual(found({ ...unmeasured, validation: { every: 0 } }), []);
    }
    const idle = { ...offline, domain: own, endpoints: embedded };
    assert.deepEqual(found(idle), [], 'nothing is asked of the environment');
  });

  it('a band that no p̂ can lie in', () => {
    const curriculum = { scope: 'task', kMin: 0.1 };
    only({ curriculum, rollouts: { group: 3 } }, 'error', 'curriculum.kMin', /0\.4–0\.6.*n = 3 attempts/);
    assert.deepEqual(found({ curriculum: { ...curriculum, filter: 'off' }, rollouts: { group: 3 } }), []);
    assert.deepEqual(found({ curriculum, rollouts: { group: 3 }, mode: 'random' }), []);
  });

  it('a band that admits one value only', () => {
    // paper.md §7: n = 4 and n = 8 admit only ½ within 0.1, n = 5 admits 0.4 and 0.6.
    const curriculum = { scope: 'task', kMin: 0.1 };
    for (const group of [4, 8]) {
      only({ curriculum, rollouts: { group } }, 'warning', 'curriculum.kMin', new RegExp(`p̂ = ${group / 2}/${group} `));
    }
    assert.deepEqual(found({ curriculum, rollouts: { group: 5 } }), []);
    only({ curriculum: { kMin: 0 } }, 'warning', 'curriculum.kMin', /k_min = 0/);
  });

  it('a band that admits everything', () => {
    only({ curriculum: { kMin: 0.5 } }, 'error', 'curriculum.kMin', /passes everything/);
    assert.deepEqual(found({ curriculum: { kMin: 0.49 } }), []);
    assert.deepEqual(found({ curriculum: { kMin: 0.5, alpha: 0.4 } }), []);
    assert.deepEqual(found({ curriculum: { kMin: 0.5, filter: 'off' } }), []);
  });

  it('weights with nothing to rank', () => {
    only({ curriculum: { scope: 'epoch' } }, 'warning', 'curriculum.scope', /equal, and the filter keeps or drops/);
    only({ curriculum: { lambda: 0 } }, 'warning', 'curriculum.lambda', /λ = 0/);
  });

  it('offline without its file, and a file nobody reads', () => {
    only({ mode: 'offline' }, 'error', 'generation.offlineFile', /names no file/);
    only({ generation: { offlineFile: 'x.jsonl' } }, 'warning', 'generation.offlineFile', /does not read it/);
    assert.deepEqual(found({ mode: 'offline', generation: { offlineFile: 'x.jsonl' } }), []);
  });

  it('clip bounds that leave nothing', () => {
    only({ agent: { clipLow: 1, clipHigh: 1 } }, 'error', 'agent.clipLow', /nothing left to learn/);
    assert.deepEqual(found({ agent: { clipLow: 1, clipHigh: 1, loss: 'importance_sampling' } }), []);
  });

  it('a batch without generated tasks, or under a minibatch', () => {
    const rollouts = { baseShare: 0.6, poolShare: 0.4 };
    only({ rollouts }, 'error', 'rollouts.baseShare', /nothing is left/);
    // 14 families × 4 variations / (1 − ⅛) = 64 tasks of 8 attempts.
    assert.deepEqual(found({ agent: { minibatch: 512 } }), []);
    only({ agent: { minibatch: 513 } }, 'warning', 'agent.minibatch', /512 attempts/);
  });

  it('more base tasks than there are', () => {
    // 56 written tasks are half of the batch.
    const few = { domain: { baseTasks: 55 }, rollouts: { baseShare: 0.5 } };
    only(few, 'warning', 'domain.baseTasks', /asks for 56 base tasks an epoch, and there are 55/);
    assert.deepEqual(found({ ...few, domain: { baseTasks: 56 } }), []);
    assert.deepEqual(found({ ...few, mode: 'release' }), []);
  });

  it('counts that can never be reached', () => {
    only({ epochs: 2 }, 'warning', 'environment.bufferEpochs', /spans 3 epochs/);
    only({ curriculum: { warmupEpochs: 100 } }, 'warning', 'curriculum.warmupEpochs', /never applies/);
    only({ environment: { minFamilies: 43 } }, 'error', 'environment.minFamilies', /never more than 42/);
    only({ budget: { rollouts: 511 } }, 'warning', 'budget.rollouts', /makes 512/);
    only({ budget: { cost: 20 } }, 'error', 'budget.cost', /no endpoint has a price/);
    const earlyStop = { patience: 100, minImprovement: 0 };
    only({ earlyStop }, 'warning', 'earlyStop.patience', /not before the run ends/);
    only({ earlyStop, validation: { every: 0 } }, 'error', 'earlyStop', /makes none/);
    only({ validation: { rollouts: 4, temperature: 0 } }, 'warning', 'validation.rollouts', /same answer 4 times/);
  });

  it('more tokens than the context holds', () => {
    const context = limits.context(presets.embedded.endpoints.agent);
    assert.ok(context !== null);
    only({ rollouts: { maxTokens: context } }, 'warning', 'rollouts.maxTokens', new RegExp(`${context} tokens`));
    assert.deepEqual(found({ rollouts: { maxTokens: context - 1 } }), []);
    for (const name of ['agent', 'environment']) {
      const file = new URL(`../../../src/endpoints/embedded/weights/${name}.bin`, import.meta.url);
      assert.equal(readHeader(readFileSync(file), name).config.context, context, name);
    }
  });

  it('more tasks than the domain has, as it says itself', () => {
    assert.deepEqual(limits.tasks('storekeeper'), { base: maxBaseTasks, validation: maxValidationTasks });
    only({ domain: { baseTasks: 545 } }, 'error', 'domain.baseTasks', /has 544/);
    only({ validation: { tasks: 401 } }, 'error', 'validation.tasks', /has 400/);
    assert.deepEqual(found({ domain: { baseTasks: 545, seeds: 'mine.jsonl' } }), []);
  });

  it('a task seed that nothing reads', () => {
    const unread = found({ domain: { name: 'stories', taskSeed: 2 } }).filter((one) => one.startsWith('warning'));
    assert.match(unread.join(), /^warning domain.taskSeed: .* the domain stories does not draw its tasks by it/);
    assert.deepEqual(found({ domain: { taskSeed: 2 } }), []);
  });

  it('admit what the loop’s filter admits', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 64 }), share, share, fc.constantFrom('mean', 'posterior'), (n, a, k, e) => {
        const curriculum = { ...presets.embedded.curriculum, alpha: a, kMin: k, estimate: e };
        const expected = Array.from({ length: n + 1 }, (_, s) => s).filter((s) =>
          inBand(estimateOf(s, n, e), curriculum),
        );
        assert.deepEqual(admitted(n, curriculum), expected);
      }),
    );
  });

  it('count the attempts of a scope', () => {
    const attempts = (scope: string): number =>
      attemptsInScope(resolveExperiment({ preset: 'embedded', curriculum: { scope } }));
    assert.deepEqual([attempts('task'), attempts('family'), attempts('epoch')], [8, 32, 448]);
  });

  it('an embedding server without a model', () => {
    const server = { embeddingUrl: 'http://127.0.0.1:8080/v1' };
    only({ generation: server }, 'error', 'generation.embeddingModel', /no model there is named/);
    assert.deepEqual(found({ generation: { ...server, embeddingModel: 'bge' } }), []);
  });

  it('an order of attempts of which a budget leaves out the last', () => {
    const long = { preset: 'embedded', rollouts: { order: 'longest' } };
    assert.deepEqual(found(long), []);
    only({ ...long, budget: { hours: 2 } }, 'warning', 'rollouts.order', /budget\.hours ends an epoch early.*shortest/);
  });

  it('families that are cut off while more hangs on them than their place in the band', () => {
    const cut = { preset: 'embedded', rollouts: { cutOff: 'band' } };
    assert.deepEqual(found(cut), []);
    only({ ...cut, curriculum: { filter: 'soft' } }, 'error', 'rollouts.cutOff', /outside the band teach too/);
    only({ ...cut, curriculum: { scope: 'task' } }, 'error', 'rollouts.cutOff', /do not decide for that family/);
    const control = { kind: 'success', every: 1, step: 0.1, low: 0.4, high: 0.6 };
    only({ ...cut, curriculum: { control } }, 'warning', 'rollouts.cutOff', /first attempts alone/);
    assert.deepEqual(found({ ...cut, mode: 'random', curriculum: { filter: 'soft' } }), []);
    const compared = { update: 'grpo' };
    const all = found({ ...cut, generation: { perSeed: 2 }, environment: compared });
    assert.match(all.join(' '), /R_env of families outside/);
  });

  it('minibatches that cannot be trained while others are attempted', () => {
    const streamed = { preset: 'embedded', agent: { stream: true } };
    assert.deepEqual(found(streamed), []);
    only({ ...streamed, rollouts: { spare: 0.1 } }, 'error', 'agent.stream', /Which groups count/);
    only({ ...streamed, rollouts: { staleness: 1 } }, 'error', 'agent.stream', /nothing to gain/);
    only({ ...streamed, agent: { stream: true, minibatch: 512 } }, 'warning', 'agent.stream', /one minibatch of 512/);
    assert.deepEqual(found({ ...streamed, rollouts: { batch: 16 } }), []);
    const jobs = { ...streamed, endpoints: { agent: { kind: 'verl' } } };
    assert.match(found(jobs).join(' '), /A job of verl makes all attempts of a batch before it trains/);
    assert.deepEqual(found({ ...streamed, agent: { stream: true, train: false } }), []);
  });

  it('spare groups where the first complete ones cannot count', () => {
    const spare = { preset: 'embedded', rollouts: { spare: 0.1 } };
    assert.deepEqual(found(spare), []);
    only({ ...spare, mode: 'release' }, 'error', 'rollouts.spare', /has no spare ones/);
    only({ ...spare, rollouts: { spare: 0.1, cutOff: 'band' } }, 'error', 'rollouts.spare', /complete sooner/);
    const sampler = { kind: 'easiest-first' };
    only({ ...spare, rollouts: { spare: 0.1, sampler } }, 'error', 'rollouts.spare', /drawn again and again/);
    const control = { kind: 'success', every: 1, step: 0.1, low: 0.4, high: 0.6 };
    only({ ...spare, curriculum: { control } }, 'warning', 'rollouts.spare', /answered fast/);
    for (const rollouts of [{ staleness: 1 }, { batch: 8 }, { order: 'longest' }]) {
      assert.deepEqual(found({ ...spare, rollouts: { spare: 0.1, ...rollouts } }), []);
    }
    const jobs = { preset: 'embedded', rollouts: { spare: 0.1 }, endpoints: { agent: { kind: 'verl' } } };
    assert.match(found(jobs).join(' '), /A job of verl makes all attempts of a batch before it returns/);
  });

  it('late groups where being late is not a matter of chance', () => {
    const late = { preset: 'embedded', rollouts: { staleness: 1, late: 0.25 } };
    assert.deepEqual(found(late), []);
    only({ ...late, rollouts: { ...late.rollouts, spare: 0.1 } }, 'error', 'rollouts.late', /fall out/);
    only({ ...late, rollouts: { ...late.rollouts, cutOff: 'band' } }, 'error', 'rollouts.late', /complete sooner/);
    const curriculum = { reward: { kind: 'progress' }, scope: 'task', filter: 'off' };
    assert.match(found({ ...late, curriculum }).join(' '), /error rollouts\.late: .* of an older one/);
    assert.deepEqual(found({ ...late, rollouts: { late: 0.25, spare: 0.1 } }), []);
  });

  it('epochs that cannot be sampled before the updates they follow', () => {
    const stale = { staleness: 1 };
    assert.deepEqual(found({ preset: 'embedded', rollouts: stale }), []);
    only({ preset: 'embedded', rollouts: { ...stale, batch: 64 } }, 'error', 'rollouts.staleness', /batch = 64 learns/);
    only({ preset: 'embedded', mode: 'release', rollouts: stale }, 'error', 'rollouts.staleness', /ranks seeds/);
    const sampled = { mode: 'static', rollouts: { ...stale, sampler: { kind: 'easiest-first' } } };
    only({ preset: 'embedded', ...sampled }, 'error', 'rollouts.staleness', /draws by the newest/);
    const agent = { kind: 'verl' };
    only({ rollouts: stale, endpoints: { agent } }, 'error', 'rollouts.staleness', /the agent cannot be sampled/);
    assert.deepEqual(found({ rollouts: stale, agent: { train: false }, endpoints: { agent } }), []);
  });

  describe('of a trainer that takes whole jobs', () => {
    const honoured = { klCoefficient: 0, updateKlCap: null };
    const verl = (over: JsonObject = {}): JsonObject => ({
      environment: honoured,
      ...over,
      endpoints: { agent: { kind: 'verl' }, environment: { kind: 'verl' }, ...Object(over['endpoints']) },
    });

    it('are none where every setting has its place', () => assert.deepEqual(found(verl()), []));

    it('a smallest group', () => {
      only(verl({ rollouts: { minGroup: 4 } }), 'warning', 'rollouts.minGroup', /makes all 8 attempts/);
      assert.deepEqual(found(verl({ rollouts: { minGroup: 8 } })), []);
    });

    it('a KL term, caps and weights of tokens', () => {
      const over = { klCoefficient: 0.1, updateKlCap: 0.2, totalKlCap: 1, tokenWeights: 'instance' };
      const fields = ['klCoefficient', 'updateKlCap', 'totalKlCap', 'tokenWeights'].map(
        (name) => `environment.${name}`,
      );
      only(verl({ environment: over }), 'warning', 'environment.klCoefficient', new RegExp(fields.join(', ')));
      assert.deepEqual(found(verl({ environment: over, endpoints: { environment: { kind: 'tinker' } } })), []);
    });

    it('batches and rows that do not divide by the GPUs', () => {
      const agent = { kind: 'verl', gpus: 3, nodes: 2 };
      only(verl({ endpoints: { agent } }), 'error', 'rollouts.group', /512 attempts does not divide by 6 GPUs/);
      const sixteen = { endpoints: { agent: { kind: 'verl', gpus: 16 } } };
      assert.deepEqual(found(verl(sixteen)), []);
      only(verl({ ...sixteen, rollouts: { batch: 20 } }), 'error', 'rollouts.group', /Rounds of 20 tasks .* 16 GPUs/);
      assert.deepEqual(found(verl({ ...sixteen, rollouts: { batch: 20, group: 16 } })), []);
      assert.deepEqual(found(verl({ ...sixteen, rollouts: { batch: 64 } })), []);
      only(verl({ ...sixteen, domain: { baseTasks: 40 } }), 'error', 'rollouts.group', /fewer tasks .* 16 GPUs/);
      assert.deepEqual(found(verl({ ...sixteen, domain: { baseTasks: 40 }, rollouts: { group: 16 } })), []);
      const environment = { kind: 'verl', gpus: 6 };
      only(verl({ endpoints: { environment } }), 'error', 'environment.minibatch', /64 rows .* by 6 GPUs/);
      assert.deepEqual(found(verl({ mode: 'random', endpoints: { environment } })), []);
    });

    it('overrides of what GenEnv sets and reckons with', () => {
      const over = (overrides: string) => verl({ endpoints: { agent: { kind: 'verl', overrides } } });
      const at = 'endpoints.agent.overrides';
      only(over('a.b=1 trainer.n_gpus_per_node=2'), 'error', at, /set from endpoints\.agent\.gpus/);
      only(over('++trainer.nnodes=2'), 'error', at, /set from endpoints\.agent\.nodes/);
      only(over('actor_rollout_ref.model.path=x'), 'error', at, /set from endpoints\.agent\.model/);
      only(over('trainer.logger=[]'), 'error', at, /trainer\.logger is set by GenEnv/);
      assert.deepEqual(found(over('actor_rollout_ref.rollout.gpu_memory_utilization=0.6')), []);
    });

    it('weights that no server can take while it runs', () => {
      const agent = { kind: 'verl', rank: 0 };
      only(verl({ endpoints: { agent } }), 'error', 'endpoints.agent.rank', /Rank 0 trains the whole model/);
      assert.deepEqual(found(verl({ agent: { train: false }, endpoints: { agent } })), []);
    });
  });

  it('stand at the line that says them, or at the preset’s', () => {
    const text =
      '{\n  "preset": "embedded",\n  "rollouts": {\n    "group": 3\n  },\n  "curriculum": { "scope": "task", "kMin": 0.1 }\n}';
    const parsed = parseExperiment(text, 'a.genenv.json');
    assert.ok('problems' in parsed);
    assert.deepEqual(
      parsed.problems.map(({ line, column, field }) => [line, column, field]),
      [[6, 36, 'curriculum.kMin']],
    );
    const inherited = parseExperiment('{\n  "preset": "paper"\n}', 'a.genenv.json');
    assert.ok('experiment' in inherited);
    assert.deepEqual([...new Set(inherited.warnings.map(({ line, column }) => `${line}:${column}`))], ['2:3']);
  });
});
