import type { Page } from 'playwright-core';
import * as z from 'zod';

/** Lines of lists, and titles of choices, in which a text, an icon or a button stands higher than its neighbours. */
export async function unevenLines(page: Page): Promise<string[]> {
  return z.array(z.string()).parse(await page.evaluate(look));
}

const look = `(() => {
  const seen = new Set();
  const middle = ({ top, bottom }) => (top + bottom) / 2;
  const textRects = (node) => {
    const range = document.createRange();
    range.selectNodeContents(node);
    return [...range.getClientRects()].slice(0, 1);
  };
  for (const line of document.querySelectorAll('main .row-line, main .choice-title')) {
    const { top } = line.getBoundingClientRect();
    const middles = [];
    for (const node of [line, ...line.querySelectorAll('*')]) {
      // Letters below or above the others are meant to be there.
      if (node.matches('sub, sup')) continue;
      const box = node.getBoundingClientRect();
      if (node.matches('input, .codicon') && box.height > 1) middles.push(middle(box));
      for (const one of node.childNodes)
        if (one.nodeType === 3 && one.textContent.trim() !== '') middles.push(...textRects(one).filter((rect) => rect.top < top + 18).map(middle));
    }
    const apart = Math.max(...middles) - Math.min(...middles);
    if (middles.length > 1 && apart > 3) seen.add(line.className + ': ' + line.textContent.trim().slice(0, 60) + ': ' + apart.toFixed(1));
  }
  return [...seen].slice(0, 5);
})()`;
