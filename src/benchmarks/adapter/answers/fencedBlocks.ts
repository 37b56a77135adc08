/** The contents of a text's fenced blocks whose first word is one of these languages; an unclosed block is none. */
export function fencedBlocks(text: string, languages: readonly string[]): string[] {
  const blocks: string[] = [];
  let open: { wanted: boolean; lines: string[] } | null = null;
  for (const line of text.split(/\r?\n/)) {
    const bare = line.trim();
    if (open === null) {
      if (!bare.startsWith('```')) continue;
      const [language = ''] = bare.slice(3).trim().toLowerCase().split(/\s/);
      open = { wanted: languages.includes(language), lines: [] };
    } else if (bare !== '```') open.lines.push(line);
    else {
      if (open.wanted) blocks.push(open.lines.join('\n'));
      open = null;
    }
  }
  return blocks;
}
