import type { Selection } from 'd3';
import { element } from './element.ts';
import { pieces } from './pieces.ts';

/** Text in which the method's symbols are set as such. */
export function prose(text: string): Node[] {
  return pieces(text).flatMap((piece): Node[] => [
    document.createTextNode(piece.text),
    ...(piece.index === null ? [] : [element('sub', {}, piece.index)]),
  ]);
}

/** The same in a drawing, for each text of a selection. */
export function setSymbols<E extends SVGTextElement, D, P extends Element | null, Q>(
  texts: Selection<E, D, P, Q>,
  textOf: (datum: D) => string,
): void {
  texts.each(function (datum) {
    this.replaceChildren();
    let lowered = false;
    for (const { text, index } of pieces(textOf(datum))) {
      const plain = this.ownerDocument.createElementNS(this.namespaceURI, 'tspan');
      plain.textContent = text;
      // A shift holds for all text that follows it: the next plain piece takes it back.
      if (lowered && text !== '') plain.setAttribute('dy', '-3');
      this.append(plain);
      lowered = index !== null;
      if (index === null) continue;
      const low = this.ownerDocument.createElementNS(this.namespaceURI, 'tspan');
      low.textContent = index;
      low.setAttribute('dy', '3');
      low.setAttribute('class', 'index');
      this.append(low);
    }
  });
}
