import type { GameFile } from '../../../src/benchmarks/alfworld/gameFile.ts';

/** Parts of a small game of our own; each may be replaced. */
export interface MiniParts {
  types?: string;
  predicates?: string;
  actions?: string;
  objects?: string;
  init?: string;
  goal?: string;
  /** Rules beyond the intro's, as JSON without the outer brackets. */
  rules?: string;
  /** Blocks of further actions' texts. */
  texts?: string;
}

/** Two rooms, a box that opens, a coin: small enough to see everything it does. */
export function mini({
  types = 'agent place box thing',
  predicates = '',
  actions = '',
  objects = '',
  init = '',
  goal = '(in coin_bar_1 chest_bar_1)',
  rules = '"intro": [{"rhs": "Begin."}]',
  texts = '',
}: MiniParts = {}): GameFile {
  return {
    pddl_domain: `; a comment (never closed
(define (domain mini)
  (:requirements :adl)
  (:types ${types})
  (:predicates (at ?a - agent ?p - place) (stands ?b - box ?p - place) (in ?t - thing ?b - box)
    (open ?b - box) (held ?t - thing) (full ?a - agent) (seen ?x) ${predicates})
  (:functions (total-cost) - number)
  (:action walk :parameters (?a - agent ?from - place ?to - place)
    :precondition (at ?a ?from)
    :effect (and (not (at ?a ?from)) (at ?a ?to) (increase (total-cost) 1)))
  (:action unlock :parameters (?a - agent ?p - place ?b - box)
    :precondition (and (at ?a ?p) (stands ?b ?p) (not (open ?b)))
    :effect (and (open ?b) (seen ?b)))
  (:action take :parameters (?a - agent ?p - place ?t - thing ?b - box)
    :precondition (and (at ?a ?p) (stands ?b ?p) (open ?b) (in ?t ?b) (not (full ?a)))
    :effect (and (not (in ?t ?b)) (held ?t) (full ?a)))
  (:action put :parameters (?a - agent ?p - place ?t - thing ?b - box)
    :precondition (and (at ?a ?p) (stands ?b ?p) (open ?b) (held ?t))
    :effect (and (in ?t ?b) (not (held ?t)) (not (full ?a))))
  ${actions})`,
    grammar: `
grammar :: """{ ${rules}, "list_empty": [{"rhs": "nothing"}], "list_separator": [{"rhs": ", "}],
  "list_last_separator": [{"rhs": ", and "}] }""";
# a comment
action walk { template :: "walk to {to}"; feedback :: "You are at {to.name}."; }
action unlock { template :: "open {b}"; feedback :: "It holds [{t.indefinite + ' ' + t.name | in(t:thing, b:box)}]."; }
action take { template :: "take {t} from {b}"; feedback :: "Taken."; }
action put { template :: "put {t} in {b}"; feedback :: "#left#";
  grammar :: """{
    # comments stand here too
    "left": [{"condition": "in(other:thing, b:box) & not_held(other:thing)", "rhs": "Beside {t}: [{x.name | in(x:thing, b:box)}]."},
             {"rhs": "Put."}] }"""; }
${texts}`,
    pddl_problem: `(define (problem one) (:domain mini)
  (:objects me_bar_1 - agent hall_bar_1 yard_bar_1 - place chest_bar_1 crate_bar_1 - box coin_bar_1 coin_bar_2 - thing ${objects})
  (:init (= (total-cost) 0) (at me_bar_1 hall_bar_1) (stands chest_bar_1 hall_bar_1) (stands crate_bar_1 yard_bar_1)
    (in coin_bar_1 crate_bar_1) (in coin_bar_2 crate_bar_1) ${init})
  (:goal ${goal}))`,
  };
}
