import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { ReasonedError } from '../../shared/reasonedError.ts';
import { Game } from './game.ts';
import type { GameFile } from './gameFile.ts';
import { shownNames } from './names.ts';
import { readDomain, type Domain } from './pddl/domain.ts';
import type { Atom } from './pddl/formula.ts';
import { readProblem, type Problem } from './pddl/problem.ts';
import { solve } from './solve.ts';
import { taskForms, taskTypeSchema } from './taskTypes.ts';

/** Another task in a known room, as the environment policy writes it: things are called as players see them. */
const variationSchema = z.strictObject({
  task: taskTypeSchema,
  /** A kind of object: `potato`. */
  object: z.string(),
  /** A kind of receptacle: `sinkbasin`. Not for looking. */
  receptacle: z.string().optional(),
  /** A kind of lamp, for looking. */
  lamp: z.string().optional(),
  /** Objects that lie elsewhere than in the known room. */
  moved: z
    .array(z.strictObject({ object: z.string(), to: z.string() }))
    .max(20)
    .default([]),
});
export type Variation = z.infer<typeof variationSchema>;

/** `unparseable`, `schema`: no variation. `gold`: one that cannot be posed in this room, or is not proven solvable. */
export type VariationErrorReason = 'unparseable' | 'schema' | 'gold';

/** Why a text is no task of a room; the message is for a person. */
export class VariationError extends ReasonedError<VariationErrorReason> {
  override readonly name = 'VariationError';
}

/** The JSON object that a text holds, first bracket to last. @throws VariationError */
export function readVariation(text: string): Variation {
  let data: unknown;
  try {
    data = JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new VariationError('unparseable', l10n.t('There is no JSON object in the text ({0}).', error.message));
  }
  const parsed = variationSchema.safeParse(data);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new VariationError('schema', `${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`);
}

/**
 * The base game's room with another task: a whole game, its walkthrough proven by playing it. `states` bounds the proof.
 * @throws VariationError `gold` when it cannot be posed, is done from the start, or no walkthrough was found
 */
export function variedGame(base: GameFile, variation: Variation, { states }: { states?: number } = {}): GameFile {
  const domain = readDomain(base.pddl_domain);
  const problem = readProblem(base.pddl_problem, domain);
  const room = new Room(problem);
  const kinds = {
    object: room.kind(variation.object, 'otype'),
    receptacle: variation.task === 'look_at_obj_in_light' ? '' : room.kind(variation.receptacle, 'rtype'),
    lamp: variation.task === 'look_at_obj_in_light' ? room.kind(variation.lamp, 'otype') : '',
  };
  const form = taskForms[variation.task];
  let init = problem.init;
  for (const { object, to } of variation.moved) init = room.moved(init, object, to);
  const sentence = `Your task is to: ${form.sentence(kinds)}.`;
  const rule = /("task"\s*:\s*\[\s*\{\s*"rhs"\s*:\s*")[^"]*"/;
  if (!rule.test(base.grammar))
    throw new VariationError('gold', l10n.t('The base game has no rule for the task’s sentence.'));
  const file: GameFile = {
    pddl_domain: base.pddl_domain,
    grammar: base.grammar.replace(rule, (_, head: string) => `${head}${sentence}"`),
    pddl_problem: problemText(domain, problem, init, form.goal(kinds)),
  };
  const game = new Game(file);
  if (game.world.goals.some(({ literals }) => literals.every((literal) => game.world.start[literal] === 1))) {
    throw new VariationError('gold', l10n.t('The task is done before anything is done.'));
  }
  const solution = solve(game, states === undefined ? {} : { states });
  if (solution.kind === 'unsolvable') throw new VariationError('gold', l10n.t('Nothing that can be done here wins.'));
  if (solution.kind === 'unproven') {
    throw new VariationError(
      'gold',
      l10n.t('No walkthrough was found in {0} states: not proven solvable.', solution.states),
    );
  }
  return { ...file, solvable: true, walkthrough: solution.walkthrough };
}

/** The content of a known room, by the names that players see. */
class Room {
  readonly #problem: Problem;
  readonly #ids: ReadonlyMap<string, string>;

  constructor(problem: Problem) {
    this.#problem = problem;
    const names = shownNames(new Set(problem.init.flatMap(({ terms }) => terms)));
    this.#ids = new Map([...names].map(([id, name]) => [name, id]));
  }

  /** @throws VariationError when no type is called so */
  kind(name: string | undefined, of: 'otype' | 'rtype'): string {
    const kind = name?.trim().toLowerCase() ?? '';
    if (!this.#problem.objects.some((one) => one.name === `${kind}type` && one.type === of)) {
      const what = of === 'otype' ? l10n.t('kind of object') : l10n.t('kind of receptacle');
      throw new VariationError(
        'gold',
        l10n.t('{0} is no {1} here.', kind === '' ? l10n.t('A name is missing') : kind, what),
      );
    }
    return kind;
  }

  /** The facts with an object elsewhere. @throws VariationError */
  moved(init: readonly Atom[], object: string, to: string): readonly Atom[] {
    const o = this.#id(object);
    const r = this.#id(to);
    const place = this.#about('receptacleatlocation', r);
    if (place === undefined) throw new VariationError('gold', l10n.t('{0} is nothing to put things in.', to));
    if (!this.#has('pickupable', o)) throw new VariationError('gold', l10n.t('{0} cannot be moved.', object));
    const otype = this.#about('objecttype', o) ?? '';
    const rtype = this.#about('receptacletype', r) ?? '';
    if (!this.#has('cancontain', rtype, otype))
      throw new VariationError('gold', l10n.t('{0} does not go in {1}.', object, to));
    const kept = init.filter(
      ({ predicate, terms }) => !(terms[0] === o && ['inreceptacle', 'objectatlocation'].includes(predicate)),
    );
    return [
      ...kept,
      { predicate: 'inreceptacle', terms: [o, r] },
      { predicate: 'objectatlocation', terms: [o, place] },
    ];
  }

  #id(name: string): string {
    const id = this.#ids.get(name.trim().toLowerCase());
    if (id === undefined) throw new VariationError('gold', l10n.t('There is no {0} in the room.', name));
    return id;
  }

  #about(predicate: string, first: string): string | undefined {
    return this.#problem.init.find((atom) => atom.predicate === predicate && atom.terms[0] === first)?.terms[1];
  }

  #has(predicate: string, ...terms: string[]): boolean {
    return this.#problem.init.some(
      (atom) => atom.predicate === predicate && terms.every((term, position) => atom.terms[position] === term),
    );
  }
}

function problemText(domain: Domain, problem: Problem, init: readonly Atom[], goal: string): string {
  const constants = new Set(domain.constants.map(({ name }) => name));
  const objects = problem.objects
    .filter(({ name }) => !constants.has(name))
    .map(({ name, type }) => `    ${name} - ${type}`);
  const facts = init.map(({ predicate, terms }) => `    (${[predicate, ...terms].join(' ')})`);
  return `(define (problem variation)
  (:domain alfred)
  (:objects
${objects.join('\n')})
  (:init
${facts.join('\n')})
  (:goal ${goal}))
`;
}
