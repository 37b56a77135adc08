import * as z from 'zod';

export const taskTypeSchema = z.enum([
  'pick_and_place_simple',
  'look_at_obj_in_light',
  'pick_clean_then_place_in_recep',
  'pick_heat_then_place_in_recep',
  'pick_cool_then_place_in_recep',
  'pick_two_obj_and_place',
]);
/** The six kinds of tasks that ALFWorld poses, in the official order. */
export type TaskType = z.infer<typeof taskTypeSchema>;

/** The kinds that a task is about, as people see them: `potato`, `sinkbasin`. */
interface TaskKinds {
  object: string;
  /** Where to; '' for looking. */
  receptacle: string;
  /** The kind that gives light; '' for all but looking. */
  lamp: string;
}

interface TaskForm {
  sentence: (kinds: TaskKinds) => string;
  /** A PDDL condition. */
  goal: (kinds: TaskKinds) => string;
}

/** An object of the kind in a receptacle of the kind, with these conditions more. */
const placed =
  (...more: string[]) =>
  ({ object, receptacle }: TaskKinds): string =>
    `(exists (?r - receptacle) (exists (?o - object) (and ${more.join(' ')} (objectType ?o ${object}Type)` +
    ` (receptacleType ?r ${receptacle}Type) (inReceptacle ?o ?r))))`;

/** The official templates: the first sentence of each kind, and its goal. */
export const taskForms: Readonly<Record<TaskType, TaskForm>> = {
  pick_and_place_simple: {
    sentence: ({ object, receptacle }) => `put a ${object} in ${receptacle}`,
    goal: placed(),
  },
  look_at_obj_in_light: {
    sentence: ({ object, lamp }) => `look at ${object} under the ${lamp}`,
    goal: ({ object, lamp }) =>
      `(and (exists (?ot - object ?r - receptacle ?a - agent ?l - location) (and (objectType ?ot ${lamp}Type)` +
      ' (toggleable ?ot) (isToggled ?ot) (receptacleAtLocation ?r ?l) (atLocation ?a ?l) (inReceptacle ?ot ?r)))' +
      ` (exists (?o - object ?a - agent) (and (objectType ?o ${object}Type) (holds ?a ?o))))`,
  },
  pick_clean_then_place_in_recep: {
    sentence: ({ object, receptacle }) => `put a clean ${object} in ${receptacle}`,
    goal: placed('(cleanable ?o)', '(isClean ?o)'),
  },
  pick_heat_then_place_in_recep: {
    sentence: ({ object, receptacle }) => `put a hot ${object} in ${receptacle}`,
    goal: placed('(heatable ?o)', '(isHot ?o)'),
  },
  pick_cool_then_place_in_recep: {
    sentence: ({ object, receptacle }) => `put a cool ${object} in ${receptacle}`,
    goal: placed('(coolable ?o)', '(isCool ?o)'),
  },
  pick_two_obj_and_place: {
    sentence: ({ object, receptacle }) => `put two ${object} in ${receptacle}`,
    goal: ({ object, receptacle }) =>
      `(exists (?r - receptacle) (exists (?o1 - object ?o2 - object) (and (receptacleType ?r ${receptacle}Type)` +
      ` (objectType ?o1 ${object}Type) (inReceptacle ?o1 ?r) (objectType ?o2 ${object}Type) (inReceptacle ?o2 ?r)` +
      ' (not (= ?o1 ?o2)))))',
  },
};
