/** How a tool's response is compared with the truth. */
import { strip } from '../../python/text.ts';
import { equalPlain } from '../../python/plain.ts';
import { Wrong } from './faults.ts';
import { member, type Response, type Tool, type Truth } from './tool.ts';

type Judge = Tool['judge'];
/** Brings a text into the form it is compared in. */
type Form = (text: string) => unknown;

const sameOutput = (response: Response, truth: Truth): boolean => equalPlain(response.output, member(truth, 'output'));

const sameException = (response: Response, truth: Truth): boolean =>
  equalPlain(response.exception, member(truth, 'exception'));

/** Input, output and exception are equal. */
export const allEqual: Judge = (response, truth) =>
  equalPlain(response.input, member(truth, 'input')) && sameOutput(response, truth) && sameException(response, truth);

export const outputEqual: Judge = sameOutput;

/** Output and exception are equal, and so are these inputs once they are in form. */
export const inForm =
  (forms: Readonly<Record<string, Form>>): Judge =>
  (response, truth) =>
    sameInForm(forms, response, truth) && sameOutput(response, truth) && sameException(response, truth);

/** The same, but any output will do where the truth has one: it is a new number. */
export const inFormWithNewId =
  (forms: Readonly<Record<string, Form>>): Judge =>
  (response, truth) =>
    sameInForm(forms, response, truth) && hasOutputToo(response, truth) && sameException(response, truth);

/** Inputs and exceptions are equal, and any output will do where the truth has one: it is random. */
export const equalWithNewToken: Judge = (response, truth) =>
  hasOutputToo(response, truth) && equalPlain(response.input, member(truth, 'input')) && sameException(response, truth);

const hasOutputToo = (response: Response, truth: Truth): boolean =>
  member(truth, 'output') !== null || response.output === null;

function sameInForm(forms: Readonly<Record<string, Form>>, response: Response, truth: Truth): boolean {
  const wanted = member(truth, 'input');
  return Object.entries(forms).every(([name, form]) => {
    return equalPlain(formed(member(response.input, name), form), formed(member(wanted, name), form));
  });
}

/** An omitted value has no form. @throws Wrong for anything but text */
function formed(value: unknown, form: Form): unknown {
  if (form === asItIs || value === null) return value;
  if (typeof value !== 'string') throw new Wrong('an input is no text');
  return form(value);
}

export const asItIs: Form = (text) => text;
export const stripped = (text: string): string => strip(text);
export const lowered = (text: string): string => strip(text).toLowerCase();
export const raised = (text: string): string => strip(text.toUpperCase());

/** More than half of all words of a topic are shared; these inputs, output and exception are equal. */
export const sharedWords =
  (topic: string, equal: readonly string[], fold: (text: string) => string = (text) => text): Judge =>
  (response, truth) => {
    const wanted = member(truth, 'input');
    return (
      overlaps(member(response.input, topic), member(wanted, topic), fold) &&
      equal.every((name) => equalPlain(member(response.input, name), member(wanted, name))) &&
      sameOutput(response, truth) &&
      sameException(response, truth)
    );
  };

/** The same, with all other inputs equal. */
export const sharedWordsElseEqual =
  (topic: string): Judge =>
  (response, truth) => {
    const wanted = member(truth, 'input');
    return (
      overlaps(member(response.input, topic), member(wanted, topic), (text) => text) &&
      equalPlain({ ...response.input, [topic]: '' }, { ...Object(wanted), [topic]: '' }) &&
      sameOutput(response, truth) &&
      sameException(response, truth)
    );
  };

/** @throws Wrong for what is no text */
function overlaps(given: unknown, wanted: unknown, fold: (text: string) => string): boolean {
  if (typeof given !== 'string' || typeof wanted !== 'string') throw new Wrong('a topic is no text');
  const [left, right] = [new Set(fold(given).split(' ')), new Set(fold(wanted).split(' '))];
  const shared = Array.from(left).filter((word) => right.has(word)).length;
  return shared / (left.size + right.size - shared) > 0.5;
}

/** Where both succeeded, the time is equal; else output and exception are. */
export const deleted: Judge = (response, truth) => {
  if (response.output === 'success' && member(truth, 'output') === 'success') {
    return equalPlain(member(response.input, 'time'), member(member(truth, 'input'), 'time'));
  }
  return sameOutput(response, truth) && sameException(response, truth);
};

/** The truth's result must name the tool too. */
export const named =
  (judge: Judge): Judge =>
  (response, truth) =>
    member(truth, 'api_name') === response.api_name && judge(response, truth);

/** Output and exception are equal; the truth's result names the tool. */
export const outcomeEqual: Judge = named(
  (response, truth) => sameOutput(response, truth) && sameException(response, truth),
);

/** The official program stops here with an error, whatever the response. */
export const neverRight: Judge = () => {
  throw new Wrong('the official program stops here');
};
