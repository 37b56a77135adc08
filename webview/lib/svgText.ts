/** A drawing of the page as a file that looks the same anywhere: the styles it got from the page become its own. */

const inherited = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'stroke-linejoin',
  'stroke-linecap',
  'opacity',
  'display',
  'font-family',
  'font-size',
  'font-weight',
  'text-anchor',
] as const;

/** @param background colour behind the drawing, as the page shows it */
export function svgText(drawing: SVGSVGElement, background: string): string {
  const copy = drawing.cloneNode(true);
  if (!(copy instanceof SVGSVGElement)) throw new TypeError('the copy of a drawing is a drawing');
  const originals = drawing.querySelectorAll('*');
  for (const [i, node] of copy.querySelectorAll('*').entries()) {
    const original = originals[i];
    if (original === undefined) continue;
    const style = getComputedStyle(original);
    for (const name of inherited) node.setAttribute(name, style.getPropertyValue(name));
    node.removeAttribute('class');
  }
  const [, , width = 0, height = 0] = (drawing.getAttribute('viewBox') ?? '').split(' ').map(Number);
  return wrapped(copy.innerHTML, width, height, background);
}

/** A complete SVG file around a drawing. */
export function wrapped(content: string, width: number, height: number, background: string): string {
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">` +
    `<rect width="${width}" height="${height}" fill="${background}"/>${content}</svg>\n`
  );
}
