/** A fault found by a check, in any way. */
import { EmbeddedError } from '../../../endpoints/embedded/errors.ts';
import { LoopError } from '../../../engine/errors.ts';
import type { Place, Problem } from '../../../shared/experiment/problems/problem.ts';
import type { Experiment } from '../../../shared/experiment/schema.ts';
import type { Finding } from '../contract.ts';
import { InputError } from '../../../launch/inputs/inputError.ts';
import { endpointFinding } from './reach.ts';
import { messageOf } from '../../../shared/messageOf.ts';

/** Gives findings the places of an experiment's fields. */
export class Places {
  readonly #placeOfField: (field: string) => Place;
  readonly #experiment: Experiment | null;

  /** @param experiment identifies the endpoint of an error; null before it can be read */
  constructor(placeOfField: (field: string) => Place, experiment: Experiment | null = null) {
    this.#placeOfField = placeOfField;
    this.#experiment = experiment;
  }

  finding(facts: Pick<Finding, 'severity' | 'message' | 'remedy' | 'field'>): Finding {
    return { ...facts, ...this.#placeOfField(facts.field) };
  }

  /** From a thrown error. `field` names the endpoint or file, if the error does not. */
  thrown(error: unknown, field: string, remedy: string): Finding[] {
    if (error instanceof InputError) return error.problems.map((problem) => this.ofProblem(problem));
    const own = this.#experiment === null ? null : endpointFinding(error, this.#experiment);
    if (own !== null) return [this.finding(own)];
    const message = messageOf(error);
    const sentence = /[.!?]$/.test(message) ? message : `${message}.`;
    // Their messages contain the remedy.
    const told = error instanceof EmbeddedError || LoopError.is(error);
    return [this.finding({ severity: 'error', message: sentence, remedy: told ? '' : remedy, field })];
  }

  /** An unusable file is reported where the experiment names it; a line of a task file in that file. */
  ofProblem({ field, severity, message, remedy, file, line, column, ofName }: Problem): Finding {
    if (ofName === true) return this.finding({ severity, message, remedy, field });
    return { severity, message, remedy, field, file, line, column };
  }
}
