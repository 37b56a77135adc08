/** A fault found by a check, in any way. */
import { EmbeddedError } from '../../../endpoints/embedded/errors.ts';
import { LoopError } from '../../../engine/errors.ts';
import { placeOfField } from '../../../shared/experiment/text/jsonText.ts';
import type { Problem } from '../../../shared/experiment/problems/problem.ts';
import type { Experiment } from '../../../shared/experiment/schema.ts';
import type { Finding } from '../contract.ts';
import { InputError } from '../../../launch/inputs/inputError.ts';
import { endpointFinding } from './reach.ts';
import { messageOf } from '../../../shared/messageOf.ts';

/** The experiment as it was given: its name in findings, and its text. */
export interface Source {
  file: string;
  text: string;
}

/** Fields of an experiment whose problems are about the name they give, not about a line of what it names. */
const naming =
  /^(?:domain\.(?:seeds|heldOut)|generation\.offlineFile|evaluation\.(?:adapter|data|split)|endpoints\.\w+\.weights)$/;

/** Finds the place of an experiment's field; a field from the preset has its place at the preset's name. */
export class Places {
  readonly #source: Source;
  readonly #experiment: Experiment | null;

  /** @param experiment identifies the endpoint of an error; null before it can be read */
  constructor(source: Source, experiment: Experiment | null = null) {
    this.#source = source;
    this.#experiment = experiment;
  }

  finding(facts: Pick<Finding, 'severity' | 'message' | 'remedy' | 'field'>): Finding {
    const { file, text } = this.#source;
    return { ...facts, ...placeOfField(text, file, facts.field) };
  }

  /** From a thrown error. `field` names the endpoint or file, if the error does not. */
  thrown(error: unknown, field: string, remedy: string): Finding[] {
    if (error instanceof InputError) return error.problems.map((problem) => this.#atField(problem));
    const own = this.#experiment === null ? null : endpointFinding(error, this.#experiment);
    if (own !== null) return [this.finding(own)];
    const message = messageOf(error);
    const sentence = /[.!?]$/.test(message) ? message : `${message}.`;
    // Their messages contain the remedy.
    const told = error instanceof EmbeddedError || LoopError.is(error);
    return [this.finding({ severity: 'error', message: sentence, remedy: told ? '' : remedy, field })];
  }

  /** An unusable file is reported where the experiment names it; a line of a task file in that file. */
  #atField({ field, severity, message, remedy, file, line, column, absent }: Problem): Finding {
    if (absent === true || naming.test(field)) return this.finding({ severity, message, remedy, field });
    return { severity, message, remedy, field, file, line, column };
  }
}
