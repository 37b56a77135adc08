/** Marks that may be markup in any dialect of Markdown, or the beginning of an entity or a link. */
const markup = /[!#$&()*+./:<=>@[\\\]^_`{|}~-]/g;

/** Text as Markdown that shows it literally: no markup, lines and indentation kept. */
export const plainMarkdown = (text: string): string =>
  text
    .trimEnd()
    .replaceAll(markup, (mark) => `&#${mark.charCodeAt(0)};`)
    .replaceAll('\t', '    ')
    .replaceAll(/^ +| {2,}/gm, (spaces) => '&nbsp;'.repeat(spaces.length))
    .replaceAll(/\r?\n/g, '\\\n');
