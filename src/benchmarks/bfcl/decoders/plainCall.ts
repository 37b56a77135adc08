/**
 * One call as models nearly always write it in Java and JavaScript, `f(x="a", y=5, z=true)`, read without tree-sitter, whose
 * module takes longer to load than thousands of such calls to read. Whatever else stands in a text is tree-sitter's: a test
 * holds the two to each other.
 */
import type { Call } from '../call.ts';
import { Dict } from '../python/value.ts';
import type { Language } from './language.ts';

const callee = /([A-Za-z][A-Za-z_0-9]*(?:\.[A-Za-z][A-Za-z_0-9]*)*)\(/y;
/** Texts without escapes, in ASCII alone: what counts bytes and what counts characters are one there. */
const parameter =
  /([A-Za-z][A-Za-z_0-9]*)=("[ !#-[\]-~]*"|'[ -&(-[\]-~]*'|-?(?:0|[1-9][0-9]{0,14})(?:\.[0-9]+)?|true|false)(, ?|\)$)/y;

/** Words that are no plain name somewhere in one of the two languages, or might not be. */
const words: ReadonlySet<string> = new Set(
  (
    'abstract any arguments as assert async await boolean break byte case catch char class const continue debugger default ' +
    'delete do double else enum eval exports export extends false final finally float for from function get goto if ' +
    'implements import in instanceof int interface let long meta module native new non null number object of open opens ' +
    'package permits private protected provides public record require requires return sealed set short static strictfp ' +
    'string super switch symbol synchronized target this throw throws to transient transitive true try typeof undefined ' +
    'uses using var void volatile when while with yield'
  ).split(' '),
);

/**
 * Of Java: it lacks its semicolon, and whether that or a whole text in error costs tree-sitter less hangs on how long the text
 * is. Of these calls it takes those for Java that have eleven characters.
 */
const shortestJava = 20;

/** Null for what is none, or may be something else. */
export function plainCall(text: string, language: Exclude<Language, 'python'>): Call | null {
  if (language === 'java' && text.length < shortestJava) return null;
  callee.lastIndex = 0;
  const name = callee.exec(text)?.[1];
  if (name === undefined || name.split('.').some((part) => words.has(part))) return null;
  const parameters = new Dict();
  parameter.lastIndex = callee.lastIndex;
  for (;;) {
    const [, key, value, mark] = parameter.exec(text) ?? [];
    if (key === undefined || value === undefined || words.has(key) || parameters.has(key)) return null;
    const isText = value.startsWith('"') || value.startsWith("'");
    // One character of Java.
    if (language === 'java' && value.startsWith("'")) return null;
    parameters.set(key, isText ? value.slice(1, -1) : value);
    if (mark === ')') return { name, parameters };
  }
}
