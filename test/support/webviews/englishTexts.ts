/** Texts of a page in German that are English, but for what its host sent: tasks, answers and names are in any language. */
import type { Page } from 'playwright-core';
import * as z from 'zod';
import { germanBundle } from '../germanBundle.ts';

/** Words that German sentences do not have: a name may have one of them. */
const english =
  /\b(?:the|of|and|is|are|were|been|not|with|from|to|each|has|have|this|that|these|its|their|there|only|which|where|what|how|than|after|before|without|at|for|it|be|or|one|every|who)\b/gi;

const isEnglish = (text: string): boolean => (text.match(english)?.length ?? 0) > 1;

/** Texts that have a German form. */
const translated = new Set(Object.entries(germanBundle).flatMap(([text, german]) => (text === german ? [] : [text])));

/** Texts and names that a person reads or hears. */
const look = `(() => {
  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode())
    if (node.parentElement?.closest('script, style, code, pre, textarea') === null) texts.push(node.data);
  for (const element of document.body.querySelectorAll('*'))
    for (const name of ['aria-label', 'aria-description', 'aria-valuetext', 'title', 'placeholder', 'alt'])
      texts.push(element.getAttribute(name) ?? '');
  return [...new Set(texts)];
})()`;

/** @param sent the host's messages */
export async function englishTexts(page: Page, sent: readonly unknown[]): Promise<string[]> {
  const texts = z.array(z.string()).parse(await page.evaluate(look));
  const suspects = texts.filter(isEnglish);
  if (suspects.length === 0) return [];
  const known = new Set<string>();
  gather(sent, known);
  const longestFirst = [...known].filter((one) => one.length > 2).sort((a, b) => b.length - a.length);
  const all = longestFirst.join('\n');
  const isPart = (text: string): boolean => all.includes(text.replaceAll('…', '').trim());
  return suspects.filter((text) => !isPart(text) && isEnglish(without(text, longestFirst)));
}

/** Titles of axes and the like, too short for a sentence's words, that have a German form. Values of settings stand in no drawing. */
export async function englishInDrawings(page: Page): Promise<string[]> {
  const drawn = await page.locator('svg text').allTextContents();
  return [...new Set(drawn.map((text) => text.trim()))].filter((text) => translated.has(text));
}

/** Whole texts, their lines and sentences, and names. */
function gather(value: unknown, into: Set<string>): void {
  if (typeof value === 'string') {
    into.add(value.trim());
    for (const part of value.split(/\n|(?<=[.!?:])\s|[“”"]/)) into.add(part.trim());
  } else if (typeof value === 'object' && value !== null)
    for (const [name, own] of Object.entries(value)) {
      into.add(name);
      gather(own, into);
    }
}

const without = (text: string, known: readonly string[]): string =>
  known.reduce((rest, one) => (rest.includes(one) ? rest.replaceAll(one, ' ') : rest), text);
