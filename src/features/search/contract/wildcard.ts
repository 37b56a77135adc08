/** Names with `*` for anything. Each piece is looked for once, from left to right, so that no name takes long. */
export function wildcard(pattern: string): (name: string) => boolean {
  const pieces = pattern.split('*');
  const [first = ''] = pieces;
  if (pieces.length === 1) return (name) => name === pattern;
  const last = pieces.at(-1) ?? '';
  const between = pieces.slice(1, -1).filter((piece) => piece !== '');
  return (name) => {
    if (name.length < first.length + last.length || !name.startsWith(first) || !name.endsWith(last)) return false;
    const end = name.length - last.length;
    let from = first.length;
    for (const piece of between) {
      const at = name.indexOf(piece, from);
      if (at === -1) return false;
      from = at + piece.length;
      if (from > end) return false;
    }
    return true;
  };
}
