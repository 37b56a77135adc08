/** Marks that may be markup in any dialect of Markdown, or the beginning of an entity or a link. */
const markup = /[!#$&()*+./:<=>@[\\\]^_`{|}~-]/g;

/** Text as Markdown that shows it as it is written: nothing in it is markup, lines and indentation stay. */
export const plainMarkdown = (text: string): string =>
  text
    .trimEnd()
    .replaceAll(markup, (mark) => `&#${mark.charCodeAt(0)};`)
    .replaceAll('\t', '    ')
    .replaceAll(/^ +| {2,}/gm, (spaces) => '&nbsp;'.repeat(spaces.length))
    .replaceAll(/\r?\n/g, '\\\n');
