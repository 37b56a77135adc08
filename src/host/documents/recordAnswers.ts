/** All features of an open task or trace, loaded with the first one. */
export { foldsOf, symbolsOf } from './layout/outline.ts';
export { hintsOf } from './hints.ts';
export { hoverAt } from './hovers.ts';
export { lensesOf } from './lenses.ts';
export { linksOf } from './layout/links.ts';
export { TextMarks } from './textMarks.ts';
export { VerdictMarks } from './verdictMarks.ts';
