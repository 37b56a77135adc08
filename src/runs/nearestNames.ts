/** Edit distance between two short texts. */
function distance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      current.push(Math.min(change, (previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}

/** Up to three names that someone who typed `text` may have meant: those that contain it first, then by edits. */
export function nearest(text: string, names: readonly string[]): string[] {
  const ranked = names.map((name) => ({
    name,
    rank:
      text !== '' && name.includes(text)
        ? 0
        : Math.min(distance(text, name), distance(text, name.slice(0, text.length)) + 1),
  }));
  return ranked
    .sort((a, b) => a.rank - b.rank || (a.name < b.name ? 1 : -1))
    .slice(0, 3)
    .map(({ name }) => name);
}
