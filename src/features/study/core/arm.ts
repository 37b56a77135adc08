import type { Study } from '../contract/file.ts';
import type { Experiment } from '../../../shared/experiment/schema.ts';
import type { Place } from '../../../shared/experiment/problems/problem.ts';

/** One change of the base with one combination of the grid; each seed repeats it. */
export interface Arm {
  name: string;
  /** The arm of the file that it belongs to; the study's name where the file has none. */
  of: string;
  /** Its place in the grid. */
  point: Study['arms'][string];
  /** With the first seed. */
  experiment: Experiment;
}

/** Where a field of the study file stands. */
export interface StudyPlaces {
  placeOf: (path: readonly (string | number)[]) => Place;
  placeOfName: (path: readonly (string | number)[]) => Place;
}
