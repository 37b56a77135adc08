/** SVG nodes; text becomes text nodes, never markup. */
const namespace = 'http://www.w3.org/2000/svg';

export function svg(
  tag: string,
  attributes: Readonly<Record<string, string | number>> = {},
  ...children: (Node | string)[]
): SVGElement {
  const node = document.createElementNS(namespace, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
  node.append(...children);
  return node;
}

/** Six colours, then the same dashed, then dotted. */
export const toneOf = (arm: number): string => `tone-${arm % 6} dash-${Math.floor(arm / 6) % 3}`;
