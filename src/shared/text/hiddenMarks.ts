/** Characters that are obeyed or not seen where text is shown: controls, direction overrides, marks without a width. */

export interface HiddenMark {
  /** In code units. */
  offset: number;
  length: number;
  /** `␛`, or `\u{202e}` for marks without a picture. */
  visible: string;
}

/** Emoji of several people or parts are joined by U+200D. */
const joinsEmoji = String.raw`(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}]\u{FE0F}?)\u{200D}(?=\p{Extended_Pictographic})`;

/** Scripts whose spelling needs U+200C and U+200D between letters. */
const joining = [
  ...['Arabic', 'Syriac', 'Mongolian', 'Nko', 'Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya', 'Tamil'],
  ...['Telugu', 'Kannada', 'Malayalam', 'Sinhala', 'Khmer', 'Myanmar', 'Tibetan'],
]
  .map((script) => String.raw`\p{Script=${script}}`)
  .join('');
const joinsLetters = String.raw`(?<=[${joining}]\p{M}*)[\u{200C}\u{200D}](?=[${joining}])`;

/** One after the character it varies; more could carry a hidden message. */
const variesGlyph = String.raw`(?<=[\p{L}\p{N}\p{P}\p{S}])[\u{FE00}-\u{FE0F}]|(?<=\p{Script=Han})[\u{E0100}-\u{E01EF}]`;

/** The flags of England, Scotland and Wales. */
const spellsFlag = String.raw`(?<=\u{1F3F4}[\u{E0061}-\u{E007A}]{0,5})[\u{E0061}-\u{E007A}\u{E007F}]`;

/** Line breaks and tabs are layout. */
const hidden = new RegExp(
  String.raw`(?!${joinsEmoji}|${joinsLetters}|${variesGlyph}|${spellsFlag}|[\n\t])` +
    String.raw`[\p{Cc}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\p{Cs}\u{FFF9}-\u{FFFB}]`,
  'gu',
);

/** The visible form of one hidden character. */
function visibleForm(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  return code === 0x7f ? '␡' : `\\u{${code.toString(16)}}`;
}

export function hiddenMarks(text: string): HiddenMark[] {
  return Array.from(text.matchAll(hidden), ({ 0: mark, index }) => ({
    offset: index,
    length: mark.length,
    visible: visibleForm(mark),
  }));
}

/** The text with every hidden mark in its visible form. */
export const withMarksShown = (text: string): string => text.replace(hidden, visibleForm);

/** JSON with every hidden mark as a `\u` escape: the same value, safe to show. */
export const jsonWithMarksEscaped = (json: string): string =>
  json.replace(hidden, (mark) =>
    Array.from({ length: mark.length }, (_, at) => `\\u${mark.charCodeAt(at).toString(16).padStart(4, '0')}`).join(''),
  );
