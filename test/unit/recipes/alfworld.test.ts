import assert from 'node:assert/strict';
import fc from 'fast-check';
import { taskTypeSchema } from '../../../src/benchmarks/alfworld/taskTypes.ts';
import { AlfworldRecipe } from '../../../src/benchmarks/recipes/alfworld.ts';
import { RecipeDomain } from '../../../src/benchmarks/recipes/domain.ts';
import { HeldOut } from '../../../src/features/health/node/heldOut.ts';
import { likenessIn } from '../../../src/features/health/node/likeness.ts';
import type { ScorerTable } from '../../../src/benchmarks/scorerTable.ts';
import { taskDraftSchema, type Task, type TaskDraft } from '../../../src/shared/records/task.ts';
import { alfworldSeed, contextOf, rulesOf } from '../../support/recipes/seeds.ts';

const apple = { task: 'pick_and_place_simple', object: 'apple', receptacle: 'fridge' };

describe('recipe of ALFWorld', () => {
  const seed = alfworldSeed();
  let rules: ScorerTable;
  let domain: RecipeDomain;
  before(async () => {
    rules = await rulesOf('alfworld');
    domain = new RecipeDomain(new AlfworldRecipe(), { base: [seed], heldOut: [] });
  });

  const parse = (variation: unknown, of = domain) =>
    of.parseTask(`As asked: ${typeof variation === 'string' ? variation : JSON.stringify(variation)}`, '', seed);
  const draftOf = (variation: unknown): TaskDraft => {
    const parsed = parse(variation);
    assert.ok(parsed.ok, parsed.ok ? '' : parsed.note);
    return parsed.draft;
  };
  const taskOf = (draft: TaskDraft): Task => ({ ...seed, ...draft, id: 'e1.f0.v0', origin: 'generated' });
  /** Plays these commands in an episode, as an agent would, and scores them. */
  const solvedBy = (draft: TaskDraft, commands: readonly string[]): boolean => {
    const task = taskOf(draft);
    const episode = domain.environment(task);
    assert.ok(episode !== null);
    episode.reset(task);
    const messages = commands.flatMap((content) => [
      { role: 'assistant' as const, content },
      ...episode.step(content).messages,
    ]);
    return rules.score(task, { messages, stopReason: 'stop' }).success;
  };
  const walkthroughOf = ({ evaluation }: TaskDraft): string[] => {
    const { game } = evaluation;
    assert.ok(typeof game === 'object' && game !== null && 'walkthrough' in game && Array.isArray(game.walkthrough));
    return game.walkthrough.map(String);
  };

  it('asks with the room, what lies where, and the seed’s task', () => {
    const [system, user] = domain.environmentPrompt(contextOf(seed));
    assert.match(system?.content ?? '', /"pick_and_place_simple".*"moved"/s);
    assert.match(user?.content ?? '', /^The seed task: put a hot potato in sinkbasin\./);
    assert.match(user?.content ?? '', /\nfridge 1: cup 3, lettuce 1, mug 3\n/);
  });

  it('makes games that their walkthrough wins, and no shorter one', () => {
    for (const variation of [
      apple,
      { task: 'pick_cool_then_place_in_recep', object: 'tomato', receptacle: 'countertop' },
      { ...apple, object: 'egg', receptacle: 'microwave', moved: [{ object: 'egg 1', to: 'fridge 1' }] },
    ]) {
      const draft = draftOf(variation);
      assert.deepEqual(domain.verify(draft), { ok: true });
      assert.ok((draft.complexity['steps'] ?? 0) > 0);
      const commands = walkthroughOf(draft);
      assert.ok(solvedBy(draft, commands));
      for (const at of commands.keys()) assert.ok(!solvedBy(draft, commands.toSpliced(at, 1)), `without ${at}`);
    }
  }).timeout(240_000);

  const refused: [string, unknown, RegExp][] = [
    ['no object', 'none', /^unparseable: There is no JSON object/],
    ['no kind of task', { ...apple, task: 'dance' }, /^schema: task/],
    ['what is not in the room', { ...apple, object: 'unicorn' }, /^gold: unicorn is no kind of object here/],
    ['what is done already', { ...apple, receptacle: 'countertop' }, /^gold: The task is done before/],
    [
      'what cannot be done',
      { task: 'pick_heat_then_place_in_recep', object: 'knife', receptacle: 'countertop' },
      /^gold: Nothing that can be done here wins/,
    ],
    ['a move to nowhere', { ...apple, moved: [{ object: 'mug 1', to: 'attic 1' }] }, /^gold: There is no attic 1/],
  ];
  for (const [what, variation, why] of refused) {
    it(`refuses ${what}`, () => {
      const parsed = parse(variation);
      assert.ok(!parsed.ok);
      assert.match(`${parsed.cause}: ${parsed.note}`, why);
    });
  }

  it('refuses a game whose goal was changed to one that nothing wins', () => {
    const draft = draftOf(apple);
    const text = JSON.stringify(draft).replace('(objectType ?o appleType)', '(objectType ?o appleType) (isHot ?r)');
    const changed = domain.verify(taskDraftSchema.parse(JSON.parse(text)));
    assert.ok(!changed.ok);
    assert.equal(changed.cause, 'gold');
  });

  it('tells the seed’s own task, and the same goal in the room of a held-out game, whatever lies where', () => {
    const again = { task: 'pick_heat_then_place_in_recep', object: 'potato', receptacle: 'sinkbasin' };
    const twin = draftOf({ ...again, moved: [{ object: 'mug 1', to: 'cabinet 7' }] });
    const near = domain.likeness(twin);
    assert.ok(!near.ok && near.cause === 'duplicate', 'the goal is the seed’s, in its room');
    assert.deepEqual(domain.likeness(draftOf(apple)), { ok: true });
    assert.equal(domain.fingerprint(draftOf(again)), domain.fingerprint(seed));
    const heldOut = { ...taskOf(draftOf(apple)), id: 'validation.apple' };
    const careful = new RecipeDomain(new AlfworldRecipe(), { base: [seed], heldOut: [heldOut] });
    const leak = careful.likeness(draftOf({ ...apple, moved: [{ object: 'mug 1', to: 'cabinet 7' }] }));
    assert.ok(!leak.ok && leak.cause === 'held-out');
    assert.match(leak.note, /held-out task validation\.apple/);
    // Health flags go by the game, too: that all games are posed with the same words makes none a copy.
    const held = new HeldOut(careful);
    const likeness = (draft: TaskDraft) =>
      likenessIn({ domain: careful }, taskOf(draft)) ?? { fingerprint: '', words: '', shingles: new Set<number>() };
    assert.equal(held.find(likeness(twin)), null);
    assert.equal(held.find(likeness(draftOf(apple)))?.id, 'validation.apple');
  }).timeout(240_000);

  it('gives a verdict on random variations: what it accepts is won by its walkthrough', () => {
    const kinds = ['mug', 'potato', 'egg', 'knife', 'apple', 'fridge', 'pan', 'x'];
    const places = ['countertop', 'fridge', 'sinkbasin', 'cabinet', 'toaster', 'potato'];
    const things = ['mug 1', 'egg 2', 'knife 1', 'fridge 1', 'x'];
    const to = ['fridge 1', 'cabinet 7', 'toaster 1', 'x'];
    const variation = fc.record(
      {
        task: fc.constantFrom(...taskTypeSchema.options),
        object: fc.constantFrom(...kinds),
        receptacle: fc.constantFrom(...places),
        lamp: fc.constantFrom('desklamp', 'x'),
        moved: fc.array(fc.record({ object: fc.constantFrom(...things), to: fc.constantFrom(...to) }), {
          maxLength: 2,
        }),
      },
      { requiredKeys: ['task', 'object'] },
    );
    let accepted = 0;
    fc.assert(
      fc.property(variation, (one) => {
        const parsed = parse(one);
        if (!parsed.ok) return /^(schema|gold)$/.test(parsed.cause) && parsed.note !== '';
        accepted += 1;
        return domain.verify(parsed.draft).ok && solvedBy(parsed.draft, walkthroughOf(parsed.draft));
      }),
      { numRuns: 25, seed: 7 },
    );
    assert.ok(accepted > 0);
  }).timeout(240_000);
});
