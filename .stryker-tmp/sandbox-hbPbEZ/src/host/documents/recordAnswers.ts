/** Everything that is told of an open task or trace, loaded together with the first one. */
export { foldsOf, symbolsOf } from './outline.ts';
export { hintsOf } from './hints.ts';
export { hoverAt } from './hovers.ts';
export { lensesOf } from './lenses.ts';
export { linksOf } from './links.ts';
export { VerdictMarks } from './verdictMarks.ts';
