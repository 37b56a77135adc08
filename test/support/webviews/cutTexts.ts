import type { Page } from 'playwright-core';
import * as z from 'zod';

/**
 * Texts of a page that a person cannot read to their end: wider than a box that hides the rest, beyond the edge of their
 * drawing, or beyond the page. Whole is also a text with a `title`, one that only a screen reader gets, and the line of a list that
 * begins a text of a run: its page shows it.
 */
export async function cutTexts(page: Page): Promise<string[]> {
  return z.array(z.string()).parse(await page.evaluate(look));
}

const look = `(() => {
  const cut = [];
  const told = (node, why) => cut.push(why + ' (' + node.className + '): ' + node.textContent.trim());
  for (const node of document.querySelectorAll('main *')) {
    const own = [...node.childNodes].some((one) => one.nodeType === 3 && one.textContent.trim() !== '');
    const box = node.getBoundingClientRect();
    if (!own || box.width <= 1 || box.height <= 1 || node.closest('[aria-hidden="true"], .sr-only, [title], .row-title, .row-snippet, .row-note, .path')) continue;
    const { overflowX } = getComputedStyle(node);
    if (node instanceof HTMLElement) {
      if (['hidden', 'clip'].includes(overflowX) && node.scrollWidth > node.clientWidth + 1) told(node, 'hidden');
      if (node.tagName === 'BUTTON' && node.scrollWidth > node.clientWidth + 1) told(node, 'wider than its button');
    }
    const drawing = node.closest('svg')?.getBoundingClientRect();
    if (drawing !== undefined && (box.left < drawing.left - 1 || box.right > drawing.right + 1)) told(node, 'beyond the drawing');
  }
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth > clientWidth) cut.push('the page scrolls sideways by ' + (scrollWidth - clientWidth));
  return cut;
})()`;
