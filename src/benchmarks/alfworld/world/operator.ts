import type { ActionSchema } from '../pddl/domain.ts';
import type { GroundFormula, GroundLiteral } from './groundFormula.ts';

/** One way in which one ground action can be taken, or in which the goal can hold (`schema` null). */
export interface Operator {
  /** Its place among the operators, or among the goals. */
  id: number;
  schema: ActionSchema | null;
  /** Objects of the schema's parameters, in their order. */
  args: readonly number[];
  /** All must hold. */
  literals: readonly GroundLiteral[];
  /** Must hold too; null when the literals say it all. */
  rest: GroundFormula | null;
}
