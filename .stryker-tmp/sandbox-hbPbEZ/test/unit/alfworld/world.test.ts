import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Rng } from '../../../src/engine/random.ts';
import { Game } from '../../../src/benchmarks/alfworld/game.ts';
import type { GameFile } from '../../../src/benchmarks/alfworld/gameFile.ts';
import { Applicable } from '../../../src/benchmarks/alfworld/world/applicable.ts';
import { mini } from '../../support/alfworld/mini.ts';
import { NaiveWorld } from '../../support/alfworld/naive.ts';

/** With conditions over all objects, alternatives and effects that depend. */
const lively = mini({
  types: 'agent place box thing safe - box',
  predicates: '(lit ?p - place) (rung)',
  objects: 'vault_bar_1 - safe bell_bar_1 - thing',
  init: '(stands vault_bar_1 yard_bar_1) (in bell_bar_1 vault_bar_1) (open vault_bar_1)',
  goal: '(and (rung) (forall (?b - box) (or (open ?b) (= ?b chest_bar_1))) (not (in coin_bar_1 crate_bar_1)))',
  actions: `
    (:action ring :parameters (?a - agent)
      :precondition (and (or (held bell_bar_1) (exists (?p - place) (and (at ?a ?p) (lit ?p))))
        (forall (?s - safe) (imply (open ?s) (not (in bell_bar_1 ?s)))))
      :effect (and (when (rung) (not (rung))) (when (not (rung)) (rung))
        (forall (?t - thing ?b - box) (when (and (in ?t ?b) (open ?b)) (and (not (in ?t ?b)) (in ?t chest_bar_1))))))
    (:action switch :parameters (?a - agent ?p - place)
      :precondition (at ?a ?p)
      :effect (and (when (lit ?p) (not (lit ?p))) (when (not (lit ?p)) (lit ?p))))
    (:action shut :parameters (?a - agent ?p - place ?b - box)
      :precondition (and (at ?a ?p) (stands ?b ?p) (open ?b)) :effect (not (open ?b)))`,
  texts: ['ring', 'switch', 'shut']
    .map((name) => `action ${name} { template :: "${name}"; feedback :: "Done."; }`)
    .join('\n'),
});

/** Plays the same random actions on both and compares all that can be done and all that holds. */
function agree(file: GameFile, seed: number, steps: number): void {
  const rng = Rng.from('agree', seed);
  const naive = new NaiveWorld(file);
  const { world } = new Game(file);
  const applicable = new Applicable(world);
  const { objects, facts } = world;
  const textOf = (name: string, args: readonly number[]) => [name, ...args.map((id) => objects.name(id))].join(' ');
  for (let step = 0; step <= steps; step++) {
    const wanted = naive.actions();
    const operators = new Map(
      [...applicable.active].map((operator) => [textOf(operator.schema?.name ?? '', operator.args), operator]),
    );
    assert.deepEqual([...operators.keys()].sort(), wanted.map(({ text }) => text).sort(), `step ${step}`);
    const held = facts.all.filter(({ id, predicate }) => predicate !== '=' && applicable.truth[2 * id] === 1);
    assert.deepEqual(held.map(({ predicate, args }) => textOf(predicate, args)).sort(), [...naive.facts].sort());
    assert.equal(applicable.won, naive.won);
    const [action] = rng.pick(wanted, 1);
    const operator = operators.get(action?.text ?? '');
    if (action === undefined || operator === undefined) return;
    naive.apply(action);
    const before = new Set(applicable.active);
    const { came, went } = applicable.apply(operator);
    for (const one of went) assert.ok(before.delete(one));
    for (const one of came) before.add(one);
    assert.deepEqual(before, applicable.active);
  }
}

describe('ALFWorld: the world kept up to date', () => {
  it('is what PDDL says, on a game with every kind of condition', () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => agree(lively, seed, 25)),
      { numRuns: 25 },
    );
  });
});
